"""Answers to messages of the page: one file for each family."""
