
// ---- Simulation -----------------------------------------------------------------------------

#ifndef NO_MAIN

static void normalise(double *q)
{
    for (int k = 0; k < NQUAT; k++) {
        double *e = q + quaternions[k];
        const double length = sqrt(dot(e, e, 4));
        for (int i = 0; i < 4; i++)
            e[i] /= length;
    }
}

// q and u back onto the constraints by the least change in the metric of M (Gauss-Newton).
static int project(double t, double *q, double *u, const double *x, const double *p)
{
    double M[SIZE(ND * NU)], h[SIZE(ND)], G[SIZE(NC * NU)], gamma[SIZE(NC)], lam[SIZE(NC)];
    double qdot[SIZE(NQ)], xdot[SIZE(NX)], error[SIZE(NC)], step[SIZE(NU)], dq[SIZE(NQ)];
    const double none[SIZE(ND)] = {0.0};
    int close = NH == 0;
    for (int iteration = 0; iteration < 10 && !close; iteration++) {
        dynamics_terms(t, q, u, x, p, M, h, G, gamma, qdot, xdot);
        memset(error, 0, sizeof error);
        constraints(t, q, u, x, p, error);
        if (constrained(M, none, G, error, step, lam))
            return 1;
        tangent(t, q, step, x, p, dq);
        double size = 0.0, extent = 1.0;
        for (int i = 0; i < NU; i++)
            size = fmax(size, fabs(step[i]));
        for (int i = 0; i < NQ; i++) {
            q[i] += dq[i];
            extent = fmax(extent, fabs(q[i]));
        }
        normalise(q);
        close = size <= 1e-7 * extent; // what is left is of the order of its square
    }
    if (!close)
        return 1;
    dynamics_terms(t, q, u, x, p, M, h, G, gamma, qdot, xdot);
    velocity_constraints(t, q, u, x, p, error);
    if (NC > 0 && constrained(M, none, G, error, step, lam))
        return 1;
    for (int i = 0; i < NU && NC > 0; i++)
        u[i] += step[i];
    return 0;
}

enum { N = NQ + NU + NX };

static int rates(double t, const double *y, const double *p, double *ydot, double *lam)
{
    return forward_dynamics(t, y, y + NQ, y + NQ + NU, p, ydot, ydot + NQ, ydot + NQ + NU, lam);
}

// One step of the method of Dormand and Prince, order 5(4), from y with y' = k[0]. Returns the
// estimated error compared with the tolerance; not a number if the step cannot be taken.
static double dormand_prince(double t, double step, const double *y, double k[7][N],
                             const double *p, double rtol, double *end)
{
    static const double c[7] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
    static const double A[7][6] = {
        {0.0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    };
    static const double E[7] = {71.0 / 57600,      0.0,          -71.0 / 16695, 71.0 / 1920,
                                -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double lam[SIZE(NC)], sum = 0.0;
    for (int s = 1; s < 7; s++) {
        for (int i = 0; i < N; i++) {
            end[i] = y[i];
            for (int j = 0; j < s; j++)
                end[i] += step * A[s][j] * k[j][i];
        }
        if (rates(t + c[s] * step, end, p, k[s], lam))
            return NAN;
    }
    for (int i = 0; i < N; i++) {
        double error = 0.0;
        for (int s = 0; s < 7; s++)
            error += step * E[s] * k[s][i];
        error /= rtol * (1.0 + fmax(fabs(y[i]), fabs(end[i])));
        sum += error * error;
    }
    return sqrt(sum / N);
}

// From t to t_end; step is the size to begin with and becomes the last one. 1: it cannot go on.
static int integrate(double *t, double t_end, double *y, const double *p, double rtol, double *step)
{
    static double k[7][N];
    double end[N], lam[SIZE(NC)];
    while (*t < t_end) {
        if (rates(*t, y, p, k[0], lam))
            return 1;
        for (;;) {
            const int last = *t + *step * (1.0 + 1e-9) >= t_end;
            const double size = last ? t_end - *t : *step;
            double error = dormand_prince(*t, size, y, k, p, rtol, end);
            normalise(end);
            if (error <= 1.0 && project(*t + size, end, end + NQ, end + NQ + NU, p))
                error = NAN;
            const double factor = error > 0.0 ? 0.9 * pow(error, -0.2) : error == 0.0 ? 5.0 : 0.2;
            const double next = size * fmin(5.0, fmax(0.2, factor));
            if (error <= 1.0) {
                *step = last ? fmax(*step, next) : next;
                *t = last ? t_end : *t + size;
                break;
            }
            *step = next;
            if (!(next > 1e-14 * (1.0 + fabs(*t))))
                return 1;
        }
        memcpy(y, end, sizeof end);
    }
    return 0;
}

static int write_row(double t, const double *state, const double *p)
{
    double ydot[N], lam[SIZE(NC)], y[SIZE(NY)];
    if (rates(t, state, p, ydot, lam))
        return 1;
    observables(t, state, state + NQ, state + NQ + NU, ydot + NQ, lam, p, y);
    printf("%.17g", t);
    for (int i = 0; i < NY; i++)
        printf(",%.17g", y[i]);
    printf("\n");
    return 0;
}

int main(int count, char **words)
{
    const double t_end = count > 1 ? atof(words[1]) : T_END;
    const double every = count > 2 ? atof(words[2]) : EVERY;
    const double rtol = count > 3 ? atof(words[3]) : RTOL;
    double t = t_start, y[N], step = 0.01 * every;
    if (!(t_end > t_start && every > 0.0 && rtol > 0.0)) {
        fprintf(stderr, "usage: %s [t_end [every [rtol]]]\n", words[0]);
        return 2;
    }
    memcpy(y, initial_state, sizeof y);
    printf("time");
    for (int i = 0; i < NY; i++)
        printf(",%s", columns[i]);
    printf("\n");
    const int rows = (int)floor((t_end - t_start) / every * (1.0 + 1e-12) + 1e-9);
    const int rest = t_end - (t_start + rows * every) > 1e-9 * every;
    int stuck = project(t, y, y + NQ, y + NQ + NU, default_parameters) ||
                write_row(t, y, default_parameters);
    for (int i = 1; i <= rows + rest && !stuck; i++) {
        const double next = i == rows + rest ? t_end : t_start + i * every;
        stuck = integrate(&t, next, y, default_parameters, rtol, &step) ||
                write_row(t, y, default_parameters);
    }
    if (stuck)
        fprintf(stderr, "cannot go on after t = %.17g\n", t);
    return stuck;
}

#endif
