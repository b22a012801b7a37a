"""scikit-learn's own tests of its estimators, run on ours: see README.md."""
