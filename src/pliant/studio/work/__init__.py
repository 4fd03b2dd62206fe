"""Processes that compute for the studio, the queue of what they are asked, and what they found."""
