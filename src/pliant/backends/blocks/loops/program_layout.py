"""Where the parts of a block program stand in its integer array."""

PIVOTS, SIZE, START, DIAGONAL, FIRST, COLUMN, LOWER, UPPER, UPDATE, TARGETS, LENGTH = range(11)
"""Number of pivots; where each array of ``Program`` begins; length of the matrix."""
HEADER = 11
