"""Bond graphs as pictures."""
