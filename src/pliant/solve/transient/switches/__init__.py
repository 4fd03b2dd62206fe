"""Steps end where a condition of the model changes, and go on behind it."""
