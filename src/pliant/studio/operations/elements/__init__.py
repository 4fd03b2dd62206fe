"""Elements: added, changed, of another kind, renamed, removed, copied."""
