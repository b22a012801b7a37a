"""Tests of the site, the slides, JupyterLab and JupyterLite."""
