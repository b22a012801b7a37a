"""The visible checks on inputs drawn anew: no table of known answers holds on these."""
