"""Structured prediction: outputs that are taggings, parses, assignments (L2's second half)."""
