# The grader for instructors on macOS and Windows: Linux, the course, bubblewrap. book/hub.md says how to run it.
FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
WORKDIR /course
COPY . .
RUN python -m tools.install lab grading
WORKDIR /work
ENTRYPOINT ["python", "-m", "lectures_homework"]
CMD ["--help"]
