"""A run in time: chunks of steps, samples, events, work and energy."""
