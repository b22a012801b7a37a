"""What is inside the sandbox, beside student code: no check, no answer, no grade."""
