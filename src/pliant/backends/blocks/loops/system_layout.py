"""Where the parts of a block-sparse system stand in its arrays ic and dc."""

# what every element function reads first
TIME, LOAD, SCALE, CA, CU, CQ, END_TIME, DISSIPATION, EXTENT = range(9)
X_HEADER = 9

# ic: blocks, unknowns, unknowns and fixed ones, kinds; where the tables and the program begin, and
# room for one element in dc; length of the matrix
BLOCKS, UNKNOWNS, ALL, KINDS, BLOCK_TABLE, KIND_TABLE, PROGRAM, Y_LOCAL, LENGTH = range(9)
IC_HEADER = 10
# ic, one record per block: coordinates and increments begin here; reals; flags
B_Q, B_D, B_REALS, B_POSE, B_ALGEBRAIC = range(5)
BLOCK_INTS = 5
# ic, one record per kind: addresses, sizes, places of numbers (dc), blocks and matrix places (ic)
(
    K_RESIDUAL, K_TANGENT, K_LOAD, K_BLOCKS, K_SIZE, K_COUNT, K_RATES, K_NUMBERS, K_STRIDE,
    K_TOUCHED, K_PLACES, K_DISCRETE,
) = range(12)  # fmt: skip
KIND_INTS = 12

# dc: the header of element functions, then room for one element
X_LOCAL = X_HEADER
TURN = 18
"""Numbers of T(psi)^-1 per block."""
