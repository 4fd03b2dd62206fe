"""Commands about files of models and what is kept of them: one file each."""
