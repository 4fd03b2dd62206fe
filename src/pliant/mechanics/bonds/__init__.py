"""Causal bond graphs as expressions: efforts, flows and equations, for every formulation."""
