"""Tools of the project: they run and guard its notebooks; nothing of them is shipped."""
