"""The open text: its revisions, what can be undone, what survives a crash, the file on disk."""
