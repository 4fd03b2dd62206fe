"""Services of models whose equations are dense expressions."""
