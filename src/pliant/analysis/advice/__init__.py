"""What may be wrong with a model, or could be cheaper."""
