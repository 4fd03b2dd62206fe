  ! Value and first two derivatives of every signal: cubic pieces, by bisection; beyond the ends
  ! held, or continued by a straight line.
  subroutine look_up(t, p, s)
    real(dp), intent(in) :: t, p(np)
    real(dp), intent(out) :: s(3*ns)
    integer :: k, n, i, j, middle, t0, y0, m0
    real(dp) :: keep, inside, h, a, b, slope, value
    do k = 1, ns
      n = signal_points(k)
      t0 = signal_start(k) + 1
      y0 = t0 + n
      m0 = y0 + n
      keep = 1.0_dp - p(t0)
      inside = min(max(t, p(t0+1)), p(t0+n))
      i = 1
      j = n
      do while (j - i > 1)
        middle = (i + j) / 2
        if (p(t0+middle) <= inside) then
          i = middle
        else
          j = middle
        end if
      end do
      h = p(t0+j) - p(t0+i)
      a = (p(t0+j) - inside) / h
      b = (inside - p(t0+i)) / h
      slope = (p(y0+j) - p(y0+i)) / h &
              + ((1.0_dp - 3.0_dp*a*a) * p(m0+i) + (3.0_dp*b*b - 1.0_dp) * p(m0+j)) * h / 6.0_dp
      value = a * p(y0+i) + b * p(y0+j) &
              + (a * (a*a - 1.0_dp) * p(m0+i) + b * (b*b - 1.0_dp) * p(m0+j)) * h*h / 6.0_dp
      s(3*k-2) = value + slope * keep * (t - inside)
      s(3*k-1) = merge(slope * keep, slope, t /= inside)
      s(3*k) = merge(0.0_dp, a * p(m0+i) + b * p(m0+j), t /= inside)
    end do
  end subroutine look_up

