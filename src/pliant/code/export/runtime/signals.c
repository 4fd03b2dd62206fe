// Value and first two derivatives of every signal: cubic pieces, by bisection; beyond the ends
// held, or continued by a straight line.
static void look_up(double t, const double *p, double *s)
{
    for (int k = 0; k < NS; k++) {
        const int n = signal_points[k];
        const double *ts = p + signal_start[k] + 1, *ys = ts + n, *ms = ys + n;
        const double keep = 1.0 - ts[-1], inside = fmin(fmax(t, ts[0]), ts[n - 1]);
        int i = 0, j = n - 1;
        while (j - i > 1) {
            const int middle = (i + j) / 2;
            if (ts[middle] <= inside)
                i = middle;
            else
                j = middle;
        }
        const double h = ts[j] - ts[i], a = (ts[j] - inside) / h, b = (inside - ts[i]) / h;
        const double slope = (ys[j] - ys[i]) / h + ((1.0 - 3.0 * a * a) * ms[i] +
                                                    (3.0 * b * b - 1.0) * ms[j]) * h / 6.0;
        const double value = a * ys[i] + b * ys[j] +
                             (a * (a * a - 1.0) * ms[i] + b * (b * b - 1.0) * ms[j]) * h * h / 6.0;
        const int outside = t != inside;
        s[3 * k] = value + slope * keep * (t - inside);
        s[3 * k + 1] = outside ? slope * keep : slope;
        s[3 * k + 2] = outside ? 0.0 : a * ms[i] + b * ms[j];
    }
}

