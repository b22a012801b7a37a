"""What runs in the student's notebook: it knows visible checks, and nothing that is secret."""
