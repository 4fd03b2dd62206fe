"""What all formulations derive alike: loads, rows, what is given, what is told."""
