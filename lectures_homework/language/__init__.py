"""What a homework is written in: checks, planted answers, and how replies are read."""
