"""The course's JupyterLab: looking at a notebook changes no file.

JupyterLab adds the version of Python, the state of widgets, and a second word for each folded
output to a notebook that it opens, and saves that by itself. What it adds is dropped here; all else
is saved as it is.
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
            for cell in model["content"]["cells"]:
                cell["metadata"].pop("collapsed", None)  # jupyter.outputs_hidden says the same


if "get_config" in globals():
    from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

    class CourseFiles(AsyncLargeFileManager):
        """Jupyter's files, saved without what looking at a notebook adds.

        The setting `pre_save_hook` would do, but the server reads it twice and then warns.
        """

        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.register_pre_save_hook(keep_metadata)

    c = get_config()  # noqa: F821 - Jupyter defines it
    c.ServerApp.contents_manager_class = CourseFiles
