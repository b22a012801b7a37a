"""What the instructor runs: it reads submissions, grades them and tells the class."""
