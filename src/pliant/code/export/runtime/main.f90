
program simulate
  use @module@
  implicit none
  real(dp) :: t, t_end, every, rtol, step, next, y(n_state), p(np)
  integer :: i, rows, rest, status
  t_end = argument(1, default_t_end)
  every = argument(2, default_every)
  rtol = argument(3, default_rtol)
  if (.not. (t_end > t_start .and. every > 0.0_dp .and. rtol > 0.0_dp)) then
    write (0, '(a)') 'arguments: [t_end [every [rtol]]]'
    stop 2
  end if
  call default_parameters(p)
  call initial_state(y)
  t = t_start
  step = 0.01_dp * every
  call write_columns()
  rows = floor((t_end - t_start) / every * (1.0_dp + 1e-12_dp) + 1e-9_dp)
  rest = merge(1, 0, t_end - (t_start + rows * every) > 1e-9_dp * every)
  call project(t, y(:nq), y(nq+1:nq+nu), y(nq+nu+1:), p, status)
  if (status == 0) call write_row(t, y, p, status)
  do i = 1, rows + rest
    if (status /= 0) exit
    next = t_start + i * every
    if (i == rows + rest) next = t_end
    call integrate(t, next, y, p, rtol, step, status)
    if (status == 0) call write_row(t, y, p, status)
  end do
  if (status /= 0) then
    write (0, '(a,es24.16e3)') 'cannot go on after t =', t
    stop 1
  end if

contains

  function argument(k, otherwise) result(value)
    integer, intent(in) :: k
    real(dp), intent(in) :: otherwise
    real(dp) :: value
    character(len=64) :: word
    value = otherwise
    call get_command_argument(k, word)
    if (len_trim(word) > 0) read (word, *) value
  end function argument

end program simulate
