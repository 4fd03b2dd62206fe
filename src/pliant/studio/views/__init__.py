"""What the page shows of a model, as plain data."""
