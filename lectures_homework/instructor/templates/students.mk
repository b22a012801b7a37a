# The course for students: `make lab` opens it, `make test` runs the lectures' notebooks and compares.

PYTHON ?= python3
PY := .venv/bin/python

.PHONY: lab test

lab:  ## open the course in JupyterLab; Ctrl-C ends it
	@$(PYTHON) start.py

test:  ## run every notebook of the lectures
	@$(PYTHON) start.py install lab test
	$(PY) -m pytest -q --nbval notebooks/[0-9]*.ipynb
