"""The visible checks on inputs that are drawn anew: for practice, and where homework is graded."""
