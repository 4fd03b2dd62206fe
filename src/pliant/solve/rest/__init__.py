"""Balance of forces: equilibria, and small motions about them."""
