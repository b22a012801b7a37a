"""The course's JupyterLab: looking at a notebook changes no file.

JupyterLab adds the version of Python and the state of widgets to a notebook when it opens one, and
saves that by itself. What it adds is dropped here; cells and outputs are saved as they are.
"""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def keep_metadata(model, **_):
    """Write the metadata that the course's notebooks have, whatever JupyterLab knows besides."""
    if model["type"] == "notebook" and model["content"]["metadata"].get("kernelspec"):
        if model["content"]["metadata"]["kernelspec"]["name"] == "python3":
            model["content"]["metadata"] = METADATA


if "get_config" in globals():
    c = get_config()  # noqa: F821 - Jupyter defines it
    c.FileContentsManager.pre_save_hook = keep_metadata
