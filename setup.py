"""What pyproject.toml cannot say: data/ is shipped inside, and what an index shows of README.md."""

import re
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).resolve().parent


def shown_on_an_index() -> str:
    """Return README.md with links that hold on another site; without an address, as plain words."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository", "").rstrip("/")
    link = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")
    if not repository:
        return link.sub(lambda found: "" if found[1] else found[2], text)
    kinds = {"!": "raw", "": "blob"}
    return link.sub(
        lambda found: f"{found[1]}[{found[2]}]({repository}/{kinds[found[1]]}/main/{found[3]})",
        text,
    )


setup(
    packages=[*find_packages(include=["lectures_lib*", "lectures_homework*"]), "lectures_lib.data"],
    package_dir={"lectures_lib.data": "data"},
    package_data={"lectures_lib.data": ["*"]},
    long_description=shown_on_an_index(),
    long_description_content_type="text/markdown",
)
