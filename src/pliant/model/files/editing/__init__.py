"""Edits of a model text that keep everything else as it is; where a name is used, and renaming."""
