"""Linear graph and virtual work: branch coordinates, generalised forces. Source: S1."""
