  ! ---- Linear algebra ------------------------------------------------------------------------

  ! A z = b; z replaces b and A is destroyed. Rows are scaled, columns pivoted. status 1: singular.
  subroutine solve(A, b, status)
    real(dp), intent(inout) :: A(:,:), b(:)
    integer, intent(out) :: status
    integer :: n, i, k, best
    real(dp) :: largest, swap(size(b)), other
    n = size(b)
    status = 1
    do i = 1, n
      largest = maxval(abs(A(i,:)))
      if (.not. (largest > 0.0_dp .and. largest < 1e300_dp)) return
      A(i,:) = A(i,:) / largest
      b(i) = b(i) / largest
    end do
    do k = 1, n
      best = k - 1 + maxloc(abs(A(k:,k)), 1)
      if (best < k) return
      if (.not. abs(A(best,k)) > 1e-300_dp) return
      swap = A(k,:)
      A(k,:) = A(best,:)
      A(best,:) = swap
      other = b(k)
      b(k) = b(best)
      b(best) = other
      do i = k + 1, n
        A(i,k) = A(i,k) / A(k,k)
        A(i,k+1:) = A(i,k+1:) - A(i,k) * A(k,k+1:)
        b(i) = b(i) - A(i,k) * b(k)
      end do
    end do
    do i = n, 1, -1
      b(i) = (b(i) - dot_product(A(i,i+1:), b(i+1:))) / A(i,i)
    end do
    status = 0
  end subroutine solve

  ! Orthonormal rows Q that span the rows of A, largest first. rank: how many, those longer than
  ! the tolerance after the others' part is taken away.
  subroutine orthonormal(A, tolerance, Q, rank)
    real(dp), intent(in) :: A(:,:), tolerance
    real(dp), intent(out) :: Q(:,:)
    integer, intent(out) :: rank
    real(dp) :: W(size(A,1), size(A,2)), sizes(size(A,1))
    integer :: i, k, best
    rank = 0
    Q = 0.0_dp
    if (size(A) == 0) return
    sizes = norm2(A, 2)
    sizes = max(sizes, 1e-4_dp * maxval(sizes))
    do i = 1, size(A,1)
      W(i,:) = A(i,:)
      if (sizes(i) > 0.0_dp) W(i,:) = A(i,:) / sizes(i)
    end do
    do while (rank < min(size(A,1), size(A,2)))
      sizes = norm2(W, 2)
      best = maxloc(sizes, 1)
      if (best < 1) return
      if (.not. sizes(best) > tolerance) return
      rank = rank + 1
      Q(rank,:) = W(best,:) / sizes(best)
      do k = 1, rank - 1
        Q(rank,:) = Q(rank,:) - dot_product(Q(k,:), Q(rank,:)) * Q(k,:)
      end do
      Q(rank,:) = Q(rank,:) / norm2(Q(rank,:))
      do i = 1, size(A,1)
        W(i,:) = W(i,:) - dot_product(Q(rank,:), W(i,:)) * Q(rank,:)
      end do
      W(best,:) = 0.0_dp
    end do
  end subroutine orthonormal

  ! ---- Forward dynamics ----------------------------------------------------------------------

  ! a and lam of M a = h + G^T lam, G a + gamma = 0 (embedding form: M has fewer rows, no lam).
  ! With G = P^T B Q, P and Q of orthonormal rows: dependent rows of G do no harm, and of all
  ! multipliers the least are found. status 1: the accelerations are not determined.
  subroutine constrained(mass, h, jac, gamma, a, lam, status)
    real(dp), intent(in) :: mass(:,:), h(:), jac(:,:), gamma(:)
    real(dp), intent(out) :: a(:), lam(:)
    integer, intent(out) :: status
    ! Rows of G that others give up to this part of their length are dependent.
    real(dp), parameter :: tolerance = 1e-9_dp
    real(dp), allocatable :: Q(:,:), P(:,:), S(:,:), B(:,:), c(:), K(:,:), z(:)
    integer :: r, n, full
    status = 1
    a = 0.0_dp
    lam = 0.0_dp
    n = min(nc, nu)
    allocate (Q(n,nu), P(n,nc))
    call orthonormal(jac, tolerance, Q, r)
    S = matmul(Q, transpose(jac))
    call orthonormal(S(:r,:), 0.0_dp, P(:r,:), full)
    if (full < r) return
    B = matmul(P(:r,:), transpose(S(:r,:)))
    c = -matmul(P(:r,:), gamma)
    call solve(B, c, status)
    if (status /= 0) return
    n = nu
    if (augmented) n = nu + r
    status = 1
    if (nd + r /= n) return
    allocate (K(n,n), z(n))
    K = 0.0_dp
    K(:nd,:nu) = mass
    K(nd+1:,:nu) = Q(:r,:)
    if (augmented) K(:nd,nu+1:) = -transpose(Q(:r,:))
    z(:nd) = h
    z(nd+1:) = c
    call solve(K, z, status)
    if (status /= 0) return
    a = z(:nu)
    if (.not. augmented) return
    B = matmul(S(:r,:), transpose(P(:r,:)))
    c = z(nu+1:)
    call solve(B, c, status)
    lam = matmul(c, P(:r,:))
  end subroutine constrained

  subroutine forward_dynamics(t, q, u, x, p, qdot, udot, xdot, lam, status)
    real(dp), intent(in) :: t, q(nq), u(nu), x(nx), p(np)
    real(dp), intent(out) :: qdot(nq), udot(nu), xdot(nx), lam(nc)
    integer, intent(out) :: status
    real(dp) :: mass(nd,nu), h(nd), jac(nc,nu), gamma(nc)
    call dynamics_terms(t, q, u, x, p, mass, h, jac, gamma, qdot, xdot)
    call constrained(mass, h, jac, gamma, udot, lam, status)
  end subroutine forward_dynamics

  ! ---- Simulation ----------------------------------------------------------------------------

  subroutine normalise(q)
    real(dp), intent(inout) :: q(nq)
    integer :: k
    do k = 1, size(quaternions)
      associate (e => q(quaternions(k):quaternions(k)+3))
        e = e / norm2(e)
      end associate
    end do
  end subroutine normalise

  ! q and u back onto the constraints by the least change in the metric of M (Gauss-Newton).
  subroutine project(t, q, u, x, p, status)
    real(dp), intent(in) :: t, x(nx), p(np)
    real(dp), intent(inout) :: q(nq), u(nu)
    integer, intent(out) :: status
    real(dp) :: mass(nd,nu), h(nd), jac(nc,nu), gamma(nc), lam(nc), qdot(nq), xdot(nx)
    real(dp) :: error(nc), step(nu), dq(nq), none(nd)
    integer :: iteration
    logical :: close
    none = 0.0_dp
    close = nh == 0
    do iteration = 1, 10
      if (close) exit
      call dynamics_terms(t, q, u, x, p, mass, h, jac, gamma, qdot, xdot)
      error = 0.0_dp
      call constraints(t, q, u, x, p, error(:nh))
      call constrained(mass, none, jac, error, step, lam, status)
      if (status /= 0) return
      call tangent(t, q, step, x, p, dq)
      q = q + dq
      call normalise(q)
      ! What is left is of the order of the square of the step.
      close = maxval(abs(step)) <= 1e-7_dp * max(1.0_dp, maxval(abs(q)))
    end do
    status = 1
    if (.not. close) return
    status = 0
    if (nc == 0) return
    call dynamics_terms(t, q, u, x, p, mass, h, jac, gamma, qdot, xdot)
    call velocity_constraints(t, q, u, x, p, error)
    call constrained(mass, none, jac, error, step, lam, status)
    u = u + step
  end subroutine project

  subroutine rates(t, y, p, ydot, lam, status)
    real(dp), intent(in) :: t, y(n_state), p(np)
    real(dp), intent(out) :: ydot(n_state), lam(nc)
    integer, intent(out) :: status
    call forward_dynamics(t, y(:nq), y(nq+1:nq+nu), y(nq+nu+1:), p, &
                          ydot(:nq), ydot(nq+1:nq+nu), ydot(nq+nu+1:), lam, status)
  end subroutine rates

  ! One step of the method of Dormand and Prince, order 5(4), from y with y' = k(:,1). error: the
  ! estimated error compared with the tolerance; huge if the step cannot be taken.
  subroutine dormand_prince(t, step, y, k, p, rtol, y_end, error)
    real(dp), intent(in) :: t, step, y(n_state), p(np), rtol
    real(dp), intent(inout) :: k(n_state,7)
    real(dp), intent(out) :: y_end(n_state), error
    real(dp), parameter :: c(2:7) = [1.0_dp/5, 3.0_dp/10, 4.0_dp/5, 8.0_dp/9, 1.0_dp, 1.0_dp]
    real(dp), parameter :: A2(1) = [1.0_dp/5]
    real(dp), parameter :: A3(2) = [3.0_dp/40, 9.0_dp/40]
    real(dp), parameter :: A4(3) = [44.0_dp/45, -56.0_dp/15, 32.0_dp/9]
    real(dp), parameter :: A5(4) = [19372.0_dp/6561, -25360.0_dp/2187, 64448.0_dp/6561, &
                                    -212.0_dp/729]
    real(dp), parameter :: A6(5) = [9017.0_dp/3168, -355.0_dp/33, 46732.0_dp/5247, &
                                    49.0_dp/176, -5103.0_dp/18656]
    real(dp), parameter :: A7(6) = [35.0_dp/384, 0.0_dp, 500.0_dp/1113, 125.0_dp/192, &
                                    -2187.0_dp/6784, 11.0_dp/84]
    real(dp), parameter :: E(7) = [71.0_dp/57600, 0.0_dp, -71.0_dp/16695, 71.0_dp/1920, &
                                   -17253.0_dp/339200, 22.0_dp/525, -1.0_dp/40]
    real(dp) :: lam(nc), errors(n_state)
    integer :: s, status
    error = huge(1.0_dp)
    do s = 2, 7
      select case (s)
      case (2); y_end = y + step * matmul(k(:,:1), A2)
      case (3); y_end = y + step * matmul(k(:,:2), A3)
      case (4); y_end = y + step * matmul(k(:,:3), A4)
      case (5); y_end = y + step * matmul(k(:,:4), A5)
      case (6); y_end = y + step * matmul(k(:,:5), A6)
      case (7); y_end = y + step * matmul(k(:,:6), A7)
      end select
      call rates(t + c(s) * step, y_end, p, k(:,s), lam, status)
      if (status /= 0) return
    end do
    errors = step * matmul(k, E) / (rtol * (1.0_dp + max(abs(y), abs(y_end))))
    error = sqrt(sum(errors**2) / n_state)
  end subroutine dormand_prince

  ! From t to t_end; step is the size to begin with and becomes the last one. status 1: it cannot
  ! go on.
  subroutine integrate(t, t_end, y, p, rtol, step, status)
    real(dp), intent(in) :: t_end, p(np), rtol
    real(dp), intent(inout) :: t, y(n_state), step
    integer, intent(out) :: status
    real(dp) :: k(n_state,7), y_end(n_state), lam(nc), length, error, next
    logical :: last, good
    status = 0
    do while (t < t_end)
      call rates(t, y, p, k(:,1), lam, status)
      if (status /= 0) return
      do
        last = t + step * (1.0_dp + 1e-9_dp) >= t_end
        length = merge(t_end - t, step, last)
        call dormand_prince(t, length, y, k, p, rtol, y_end, error)
        good = error <= 1.0_dp
        if (good) then
          call normalise(y_end(:nq))
          call project(t + length, y_end(:nq), y_end(nq+1:nq+nu), y_end(nq+nu+1:), p, status)
          good = status == 0
        end if
        if (good) then
          next = length * min(5.0_dp, max(0.2_dp, 0.9_dp * max(error, 1e-10_dp)**(-0.2_dp)))
          step = merge(max(step, next), next, last)
          t = merge(t_end, t + length, last)
          exit
        end if
        step = 0.2_dp * length
        if (error > 1.0_dp .and. error < 1e10_dp) then
          step = length * max(0.2_dp, 0.9_dp * error**(-0.2_dp))
        end if
        status = 1
        if (.not. step > 1e-14_dp * (1.0_dp + abs(t))) return
      end do
      y = y_end
      status = 0
    end do
  end subroutine integrate

  subroutine write_number(value)
    real(dp), intent(in) :: value
    character(len=32) :: text
    write (text, '(es24.16e3)') value
    write (*, '(a)', advance='no') trim(adjustl(text))
  end subroutine write_number

  subroutine write_row(t, state, p, status)
    real(dp), intent(in) :: t, state(n_state), p(np)
    integer, intent(out) :: status
    real(dp) :: ydot(n_state), lam(nc), y(ny)
    integer :: i
    call rates(t, state, p, ydot, lam, status)
    if (status /= 0) return
    call observables(t, state(:nq), state(nq+1:nq+nu), state(nq+nu+1:), ydot(nq+1:nq+nu), lam, &
                     p, y)
    call write_number(t)
    do i = 1, ny
      write (*, '(a)', advance='no') ','
      call write_number(y(i))
    end do
    write (*, '(a)') ''
  end subroutine write_row

end module @module@
