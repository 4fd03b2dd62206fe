"""Arrays of a run in time: numbers, counters, and where the vectors stand."""

# reals of the method; of step control: what an error may be, the next step, the coefficient of the
# error, the shortest step
(
    TIME_NOW, STEP, ALPHA_M, ALPHA_F, BETA, GAMMA, TOLERANCE, RATE, XI,
    ALLOWED, NEXT_STEP, ERROR_FACTOR, SHORTEST,
) = range(13)  # fmt: skip
REALS = 13
# integers: where vectors begin in the work array; counters; whether the factor is of no use
(
    W_Q, W_U, W_UDOT, W_A, W_Q0, W_U0, W_UDOT0, W_A0, W_PSI, W_R, W_WEIGHTS, W_TURNS, W_SMALL,
    W_ERRORS, W_INERTIA, STALE, STEPS, ITERATIONS, FACTORISATIONS, REJECTED, ROWS, METHOD,
) = range(22)  # fmt: skip
INTS = 22
ALPHA, CONSERVING = 0, 1
"""Methods."""
INERTIA = 23
"""Numbers per block: mass, centre of mass (3), inertia about it (9, row by row), its inverse (9),
1 if that is all the inertia of the block."""
