"""States to begin with: assembled, random, their rank and freedom."""
