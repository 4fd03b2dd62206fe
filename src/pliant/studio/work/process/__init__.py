"""A process that works, and what goes to and fro between it and the studio."""
