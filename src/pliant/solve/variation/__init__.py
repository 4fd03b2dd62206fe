"""The variational equations: how a motion changes with the start and with entries of p."""
