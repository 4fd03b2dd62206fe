"""Forms of elements: every field that may be given, made from the schema of the registries."""
