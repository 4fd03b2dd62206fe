"""Commands that show what came out."""
