"""Where the course is on the web: one place, and everything that follows from it.

An owner fills in ``[project.urls]`` of pyproject.toml and runs ``python -m tools.address``: the
links and the badge of README and CITATION.cff are rewritten; the site and its "open in" links read
it when they are built. As long as it is empty, all of these are left out.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.environment import ROOT

BRANCH = "main"
BEGIN, END = "<!-- address: made by python -m tools.address -->", "<!-- address: end -->"
FIRST = "notebooks/00_start_here.ipynb"
#: Who runs notebooks from a public repository.
COLAB = "https://colab.research.google.com/github"
BINDER = "https://mybinder.org/v2"


@dataclass(frozen=True)
class Address:
    """The course's repository and its site; "" where there is none yet."""

    repository: str = ""
    homepage: str = ""

    @property
    def slug(self) -> str:
        """owner/name of the repository."""
        return "/".join(self.repository.rstrip("/").split("/")[-2:]).removesuffix(".git")

    @property
    def on_github(self) -> bool:
        """Say whether the repository is on GitHub: Colab reads no other host."""
        return self.repository.startswith("https://github.com/")

    @property
    def install(self) -> str:
        """The cell that installs the library where notebooks run elsewhere, as in Colab."""
        return f'%pip install -q "lectures_lib @ git+{self.repository}"' if self.repository else ""

    def elsewhere(self, path: str) -> dict[str, str]:
        """Return words -> link: where a notebook of the repository runs, and where it is edited."""
        links: dict[str, str] = {}
        if self.on_github:
            links["Open in Colab"] = f"{COLAB}/{self.slug}/blob/{BRANCH}/{path}"
        host = {"https://github.com": "gh", "https://gitlab.com": "gl"}.get(self._host)
        if host:
            slug = self.slug.replace("/", "%2F") if host == "gl" else self.slug
            links["Open in Binder"] = f"{BINDER}/{host}/{slug}/{BRANCH}?urlpath=lab/tree/{path}"
            tree = "edit" if host == "gh" else "-/edit"
            links["Edit"] = f"{self.repository.rstrip('/')}/{tree}/{BRANCH}/{path}"
        return links

    @property
    def _host(self) -> str:
        return "/".join(self.repository.split("/")[:3])

    def in_browser(self, path: str) -> str:
        """Return where a notebook runs on the site."""
        return f"{self.homepage.rstrip('/')}/lite/notebooks/index.html?path={path}"


def address(project: Path = ROOT / "pyproject.toml") -> Address:
    """Return the course's address as pyproject.toml has it."""
    urls = tomllib.loads(project.read_text(encoding="utf-8"))["project"].get("urls", {})
    if unknown := set(urls) - {"Repository", "Homepage"}:
        raise SystemExit(f"[project.urls] has {', '.join(unknown)}: Repository and Homepage alone.")
    for name, url in urls.items():
        if not re.fullmatch(r"https://[\w.-]+/\S*", url):
            raise SystemExit(f"[project.urls] {name} is {url!r}: it begins with https://")
    return Address(urls.get("Repository", ""), urls.get("Homepage", ""))


def links(here: Address) -> str:
    """Return README's line of links, and the badge of its checks."""
    made: dict[str, str] = {}
    if here.homepage:
        made |= {"Read it on the web": here.homepage}
        made |= {"Run it in the browser": here.in_browser(FIRST)}
    made |= {words: url for words, url in here.elsewhere(FIRST).items() if words != "Edit"}
    parts = [f"[{words}]({url})" for words, url in made.items()]
    if here.on_github:
        runs = f"{here.repository.rstrip('/')}/actions/workflows/notebooks.yml"
        parts.append(f"[![What the last check of the notebooks said]({runs}/badge.svg)]({runs})")
    return " · ".join(parts)


def readme(text: str, here: Address) -> str:
    """Return README with its links."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    line = f"\n{made}\n" if (made := links(here)) else "\n"
    return f"{before}{BEGIN}{line}{END}{after}"


def citation(text: str, here: Address) -> str:
    """Return CITATION.cff with repository and site."""
    kept = re.sub(r"^(repository-code|url): .*\n", "", text, flags=re.MULTILINE)
    if here.repository:
        kept += f'repository-code: "{here.repository}"\n'
    return kept + (f'url: "{here.homepage}"\n' if here.homepage else "")


#: The files that name the address -> how they are made.
FILES = {"README.md": readme, "CITATION.cff": citation}


def main(root: Path = ROOT) -> int:
    """Write the address into every file that names it."""
    here = address(root / "pyproject.toml")
    for name, make in FILES.items():
        path = root / name
        path.write_text(make(path.read_text(encoding="utf-8"), here), encoding="utf-8")
    shown = here.repository or here.homepage or "none: fill in [project.urls] of pyproject.toml"
    print(f"The course's address: {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
