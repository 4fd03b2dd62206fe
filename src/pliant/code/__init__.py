"""From equations to functions: what is compiled, machine code and where it is kept, source text."""
