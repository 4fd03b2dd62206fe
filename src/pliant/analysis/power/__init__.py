"""Where power comes from and where it goes."""
