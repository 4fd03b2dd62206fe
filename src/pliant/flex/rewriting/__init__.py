"""Rewriting of models: a beam of some theories becomes several bodies, joints and forces."""
