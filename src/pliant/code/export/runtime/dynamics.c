// ---- Linear algebra -------------------------------------------------------------------------

#define SIZE(n) ((n) > 0 ? (n) : 1)
#define TOLERANCE 1e-9 // rows of G that others give up to this part of their length are dependent

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

// A z = b, n x n; z replaces b and A is destroyed. Rows are scaled, columns pivoted. 1: singular.
static int solve(double *A, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int j = 0; j < n; j++)
            largest = fmax(largest, fabs(A[i * n + j]));
        if (!(largest > 0.0 && largest < 1e300))
            return 1;
        for (int j = 0; j < n; j++)
            A[i * n + j] /= largest;
        b[i] /= largest;
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k]))
                best = i;
        if (!(fabs(A[best * n + k]) > 1e-300))
            return 1;
        for (int j = 0; j < n && best != k; j++) {
            const double other = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = other;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--)
        b[i] = (b[i] - dot(A + i * n + i + 1, b + i + 1, n - i - 1)) / A[i * n + i];
    return 0;
}

// Orthonormal rows Q that span the rows of A (rows x n), largest first; A is destroyed. Returns
// how many: those longer than the tolerance after the others' part is taken away.
static int orthonormal(double *A, int rows, int n, double tolerance, double *Q)
{
    double longest = 0.0;
    for (int i = 0; i < rows; i++)
        longest = fmax(longest, sqrt(dot(A + i * n, A + i * n, n)));
    for (int i = 0; i < rows; i++) {
        const double size = fmax(sqrt(dot(A + i * n, A + i * n, n)), 1e-4 * longest);
        for (int j = 0; j < n && size > 0.0; j++)
            A[i * n + j] /= size;
    }
    int rank = 0;
    while (rank < rows && rank < n) {
        int best = 0;
        double most = -1.0;
        for (int i = 0; i < rows; i++) {
            const double size = dot(A + i * n, A + i * n, n);
            if (size > most) {
                most = size;
                best = i;
            }
        }
        if (!(sqrt(most) > tolerance))
            break;
        double *row = Q + rank * n;
        for (int j = 0; j < n; j++)
            row[j] = A[best * n + j] / sqrt(most);
        for (int k = 0; k < rank; k++) {
            const double part = dot(Q + k * n, row, n);
            for (int j = 0; j < n; j++)
                row[j] -= part * Q[k * n + j];
        }
        const double length = sqrt(dot(row, row, n));
        for (int j = 0; j < n; j++)
            row[j] /= length;
        for (int i = 0; i < rows; i++) {
            const double part = dot(row, A + i * n, n);
            for (int j = 0; j < n; j++)
                A[i * n + j] -= part * row[j];
        }
        for (int j = 0; j < n; j++)
            A[best * n + j] = 0.0;
        rank++;
    }
    return rank;
}

// ---- Forward dynamics -----------------------------------------------------------------------

// a and lam of M a = h + G^T lam, G a + gamma = 0 (embedding form: M has fewer rows, no lam).
// With G = P^T B Q, P and Q of orthonormal rows: dependent rows of G do no harm, and of all
// multipliers the least are found. 1: the accelerations are not determined.
static int constrained(const double *M, const double *h, const double *G, const double *gamma,
                       double *a, double *lam)
{
    double Q[SIZE(NC * NU)], P[SIZE(NU * NC)], S[SIZE(NU * NC)], W[SIZE(NC * NU)];
    double B[SIZE(NU * NU)], c[SIZE(NU)], K[SIZE(4 * NU * NU)], z[SIZE(2 * NU)];
    memcpy(W, G, sizeof(double) * NC * NU);
    const int r = orthonormal(W, NC, NU, TOLERANCE, Q);
    if (r > NC) // it is not, which compilers do not see
        return 1;
    for (int k = 0; k < r; k++)
        for (int i = 0; i < NC; i++)
            S[k * NC + i] = dot(Q + k * NU, G + i * NU, NU);
    memcpy(W, S, sizeof(double) * r * NC);
    if (orthonormal(W, r, NC, 0.0, P) < r)
        return 1;
    for (int i = 0; i < r; i++) {
        c[i] = -dot(P + i * NC, gamma, NC);
        for (int k = 0; k < r; k++)
            B[i * r + k] = dot(P + i * NC, S + k * NC, NC);
    }
    if (solve(B, r, c))
        return 1;
    const int n = AUGMENTED ? NU + r : NU;
    if (ND + r != n)
        return 1;
    memset(K, 0, sizeof(double) * n * n);
    for (int i = 0; i < ND; i++) {
        z[i] = h[i];
        for (int j = 0; j < NU; j++)
            K[i * n + j] = M[i * NU + j];
        for (int k = 0; k < r && AUGMENTED; k++)
            K[i * n + NU + k] = -Q[k * NU + i];
    }
    for (int k = 0; k < r && k < NC; k++) {
        z[ND + k] = c[k];
        for (int j = 0; j < NU; j++)
            K[(ND + k) * n + j] = Q[k * NU + j];
    }
    if (solve(K, n, z))
        return 1;
    memcpy(a, z, sizeof(double) * NU);
    for (int i = 0; i < NC; i++)
        lam[i] = 0.0;
    if (!AUGMENTED)
        return 0;
    for (int i = 0; i < r; i++)
        for (int k = 0; k < r; k++)
            B[k * r + i] = dot(P + i * NC, S + k * NC, NC);
    if (solve(B, r, z + NU))
        return 1;
    for (int k = 0; k < r; k++)
        for (int i = 0; i < NC; i++)
            lam[i] += P[k * NC + i] * z[NU + k];
    return 0;
}

int forward_dynamics(double t, const double *q, const double *u, const double *x, const double *p,
                     double *qdot, double *udot, double *xdot, double *lam)
{
    double M[SIZE(ND * NU)], h[SIZE(ND)], G[SIZE(NC * NU)], gamma[SIZE(NC)];
    dynamics_terms(t, q, u, x, p, M, h, G, gamma, qdot, xdot);
    return constrained(M, h, G, gamma, udot, lam);
}
