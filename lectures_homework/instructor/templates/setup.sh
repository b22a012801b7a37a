#!/usr/bin/env bash
# Run by Gradescope once, when the archive is uploaded; needs a base image with Python 3.11 or newer: Ubuntu 24.04.
set -euo pipefail
cd "${AUTOGRADER:-/autograder}"
if [ -z "${PYTHON:-}" ]; then
  apt-get update -qq && apt-get install -y -qq python3 python3-venv
  PYTHON=python3
fi
"$PYTHON" -c 'import sys; sys.exit(sys.version_info[:2] < (3, 11) and "Choose Ubuntu 24.04 as the base image: the course needs Python 3.11.")'
"$PYTHON" -m venv venv
venv/bin/python -m pip install --disable-pip-version-check -q -c source/course/constraints.txt "source/course[grading]"
chmod -R go= source  # the code of a submission runs as another user: it cannot read the hidden checks
