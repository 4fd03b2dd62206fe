"""DOP853, explicit, of order 8."""
