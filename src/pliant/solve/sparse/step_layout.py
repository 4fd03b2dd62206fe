"""Arrays of a run in time: numbers, counters, and where the vectors stand."""

# reals of the method
TIME_NOW, STEP, ALPHA_M, ALPHA_F, BETA, GAMMA, TOLERANCE, RATE = range(8)
REALS = 8
# integers: where vectors begin in the work array; counters; whether the factor is of no use
(
    W_Q, W_U, W_UDOT, W_A, W_Q0, W_U0, W_UDOT0, W_A0, W_PSI, W_R, W_WEIGHTS, W_TURNS, W_SMALL,
    STALE, STEPS, ITERATIONS, FACTORISATIONS, WATCHED, EVERY, ROWS, METHOD,
) = range(21)  # fmt: skip
INTS = 21
"""After them: indices of the coordinates that are recorded."""
ALPHA, CONSERVING = 0, 1
"""Methods."""
