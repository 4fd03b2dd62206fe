"""Signals: functions of time given by many points, looked up by machine code.

A signal stands in the parameters p as [hold, t_1..t_n, y_1..y_n, m_1..m_n], m the second
derivatives at the points (zero for straight lines). ``@pliant.signal`` finds the interval by
bisection and gives the value and its first two derivatives:

    s = a y_i + b y_j + ((a³ - a) m_i + (b³ - b) m_j) h²/6,   a = (t_j - t)/h,  b = (t - t_i)/h

Beyond the ends it is held (hold = 1) or continued by a straight line (hold = 0).

Straight lines have corners. While an integrator takes a step it keeps one line in force, whatever
the time: hold = LINE + i is the line after point i, 0 to n - 2; i = -1 and i = n - 1 are what is
held before the first and after the last point.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

LINE = 3.0
"""``hold`` of a signal that is kept on the line after its first point."""


@dataclass(frozen=True, slots=True)
class SignalSlot:
    """Where a signal stands in p, and how many points it has; ``corners``: it is linear, and the
    equations of motion read it; ``guarded``: a condition reads it."""

    offset: int
    points: int
    corners: bool = False
    guarded: bool = False


def signal_table(
    times: Sequence[float], values: Sequence[float], curvatures: Sequence[float], *, hold: bool
) -> Array:
    """The numbers of a signal as they stand in p."""
    return np.concatenate([[float(hold)], times, values, curvatures])


def signal_at(table: Array, points: int, t: float) -> tuple[float, float, float]:
    """Value and two derivatives, as ``@pliant.signal`` gives them."""
    hold, (ts, ys, ms) = table[0], table[1 : 1 + 3 * points].reshape(3, points)
    within = min(max(t, ts[0]), ts[-1])
    i = int(np.searchsorted(ts, within, side="right")) - 1
    if hold > 1:
        i, within = int(hold - LINE), t
        if not 0 <= i <= points - 2:
            return float(ys[0] if i < 0 else ys[-1]), 0.0, 0.0
    i = min(max(i, 0), points - 2)
    h = ts[i + 1] - ts[i]
    a, b = (ts[i + 1] - within) / h, (within - ts[i]) / h
    bent = ((a**3 - a) * ms[i] + (b**3 - b) * ms[i + 1]) * h * h / 6
    slope = (ys[i + 1] - ys[i]) / h
    slope += ((1 - 3 * a * a) * ms[i] + (3 * b * b - 1) * ms[i + 1]) * h / 6
    value = a * ys[i] + b * ys[i + 1] + bent
    if within == t:
        return float(value), float(slope), float(a * ms[i] + b * ms[i + 1])
    return (float(value), 0.0, 0.0) if hold else (float(value + slope * (t - within)), slope, 0.0)


SIGNAL_IR = """
define internal void @pliant.signal(ptr %table, i64 %n, double %t, ptr %out) #1 {
entry:
 %hold = load double, ptr %table, align 8
 %ts = getelementptr inbounds double, ptr %table, i64 1
 %ys = getelementptr inbounds double, ptr %ts, i64 %n
 %ms = getelementptr inbounds double, ptr %ys, i64 %n
 %last = sub i64 %n, 1
 %endp = getelementptr inbounds double, ptr %ts, i64 %last
 %begin = load double, ptr %ts, align 8
 %end = load double, ptr %endp, align 8
 %low = call double @llvm.maxnum.f64(double %t, double %begin)
 %tin = call double @llvm.minnum.f64(double %low, double %end)
 %kept = fcmp oge double %hold, 2.0
 br i1 %kept, label %corner, label %search
corner:
 %place = fptosi double %hold to i64
 %k = sub i64 %place, 3
 %before = icmp slt i64 %k, 0
 %k0 = select i1 %before, i64 0, i64 %k
 %most = sub i64 %n, 2
 %after = icmp sgt i64 %k0, %most
 %k1 = select i1 %after, i64 %most, i64 %k0
 %k2 = add i64 %k1, 1
 %on = icmp eq i64 %k, %k1
 %off = xor i1 %on, true
 %edge = select i1 %before, double %begin, double %end
 %tk = select i1 %on, double %t, double %edge
 br label %found
search:
 %lo0 = phi i64 [ 0, %entry ], [ %nlo, %halve ]
 %hi0 = phi i64 [ %last, %entry ], [ %nhi, %halve ]
 %gap = sub i64 %hi0, %lo0
 %go = icmp sgt i64 %gap, 1
 br i1 %go, label %halve, label %within
halve:
 %sum = add i64 %lo0, %hi0
 %mid = lshr i64 %sum, 1
 %midp = getelementptr inbounds double, ptr %ts, i64 %mid
 %tm = load double, ptr %midp, align 8
 %below = fcmp ole double %tm, %tin
 %nlo = select i1 %below, i64 %mid, i64 %lo0
 %nhi = select i1 %below, i64 %hi0, i64 %mid
 br label %search
within:
 %past = fcmp une double %t, %tin
 br label %found
found:
 %lo = phi i64 [ %k1, %corner ], [ %lo0, %within ]
 %hi = phi i64 [ %k2, %corner ], [ %hi0, %within ]
 %tc = phi double [ %tk, %corner ], [ %tin, %within ]
 %outside = phi i1 [ %off, %corner ], [ %past, %within ]
 %tip = getelementptr inbounds double, ptr %ts, i64 %lo
 %tjp = getelementptr inbounds double, ptr %ts, i64 %hi
 %yip = getelementptr inbounds double, ptr %ys, i64 %lo
 %yjp = getelementptr inbounds double, ptr %ys, i64 %hi
 %mip = getelementptr inbounds double, ptr %ms, i64 %lo
 %mjp = getelementptr inbounds double, ptr %ms, i64 %hi
 %ti = load double, ptr %tip, align 8
 %tj = load double, ptr %tjp, align 8
 %yi = load double, ptr %yip, align 8
 %yj = load double, ptr %yjp, align 8
 %mi = load double, ptr %mip, align 8
 %mj = load double, ptr %mjp, align 8
 %h = fsub double %tj, %ti
 %ta = fsub double %tj, %tc
 %a = fdiv double %ta, %h
 %tb = fsub double %tc, %ti
 %b = fdiv double %tb, %h
 %aa = fmul double %a, %a
 %bb = fmul double %b, %b
 %a1 = fsub double %aa, 1.0
 %b1 = fsub double %bb, 1.0
 %a3 = fmul double %a, %a1
 %b3 = fmul double %b, %b1
 %ca = fmul double %a3, %mi
 %cb = fmul double %b3, %mj
 %cc = fadd double %ca, %cb
 %h2 = fmul double %h, %h
 %h26 = fdiv double %h2, 6.0
 %curve = fmul double %cc, %h26
 %la = fmul double %a, %yi
 %lb = fmul double %b, %yj
 %line = fadd double %la, %lb
 %s = fadd double %line, %curve
 %dy = fsub double %yj, %yi
 %secant = fdiv double %dy, %h
 %aa3 = fmul double %aa, 3.0
 %bb3 = fmul double %bb, 3.0
 %da = fsub double 1.0, %aa3
 %db = fsub double %bb3, 1.0
 %dam = fmul double %da, %mi
 %dbm = fmul double %db, %mj
 %dm = fadd double %dam, %dbm
 %h6 = fdiv double %h, 6.0
 %dcurve = fmul double %dm, %h6
 %sd = fadd double %secant, %dcurve
 %sda = fmul double %a, %mi
 %sdb = fmul double %b, %mj
 %sdd = fadd double %sda, %sdb
 %beyond = fsub double %t, %tc
 %straight = fcmp oge double %hold, 1.0
 %keep = select i1 %straight, double 0.0, double 1.0
 %sdk = fmul double %sd, %keep
 %extra = fmul double %sdk, %beyond
 %s1 = fadd double %s, %extra
 %sd1 = select i1 %outside, double %sdk, double %sd
 %sdd1 = select i1 %outside, double 0.0, double %sdd
 store double %s1, ptr %out, align 8
 %o1 = getelementptr inbounds double, ptr %out, i64 1
 store double %sd1, ptr %o1, align 8
 %o2 = getelementptr inbounds double, ptr %out, i64 2
 store double %sdd1, ptr %o2, align 8
 ret void
}
"""
