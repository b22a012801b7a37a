"""The outputs of a cell, from the kernel's messages, as a front end would show and store them."""

import nbformat
from nbformat import NotebookNode


class Recorder:
    """Collects the outputs of one cell from kernel messages, as a front end would show them."""

    def __init__(self):
        self.output_widgets: set[str] = set()  # live as long as the kernel
        self.start_cell()

    def start_cell(self) -> None:
        """Forget the outputs of the cell before."""
        self.outputs: list[NotebookNode] = []
        self._displays: dict[str, NotebookNode] = {}
        self._capturing: list[str] = []
        self._clear_next = False

    def feed(self, message: dict) -> None:
        """Take one message of the kernel's iopub channel."""
        handler = getattr(self, "_" + message["msg_type"], None)
        if handler:
            handler(message)

    def _append(self, message: dict) -> None:
        if self._capturing:  # shown inside an Output widget, not below the cell
            return
        if self._clear_next:
            self.outputs, self._clear_next = [], False
        output = nbformat.v4.output_from_msg(message)
        self.outputs.append(output)
        display_id = message["content"].get("transient", {}).get("display_id")
        if display_id:
            self._displays[display_id] = output

    _stream = _display_data = _execute_result = _error = _append

    def _update_display_data(self, message: dict) -> None:
        content = message["content"]
        shown = self._displays.get(content["transient"]["display_id"])
        if shown:
            shown.data = nbformat.from_dict(content["data"])
            shown.metadata = nbformat.from_dict(content["metadata"])

    def _clear_output(self, message: dict) -> None:
        if self._capturing:
            return
        self._clear_next = bool(message["content"].get("wait"))
        if not self._clear_next:
            self.outputs = []

    def _comm_open(self, message: dict) -> None:
        content = message["content"]
        if content["data"].get("state", {}).get("_model_name") == "OutputModel":
            self.output_widgets.add(content["comm_id"])

    def _comm_msg(self, message: dict) -> None:
        content = message["content"]
        state = content["data"].get("state", {})
        if content["comm_id"] not in self.output_widgets or "msg_id" not in state:
            return
        if state["msg_id"]:
            self._capturing.append(content["comm_id"])
        elif content["comm_id"] in self._capturing:
            self._capturing.remove(content["comm_id"])
