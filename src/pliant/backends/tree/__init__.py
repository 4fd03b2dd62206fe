"""Open trees by articulated bodies, O(n)."""
