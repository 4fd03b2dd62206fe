"""Linear graphs as pictures; layers, curves and labels of any graph."""
