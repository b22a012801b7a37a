"""`python -m lectures_lib certify model.joblib data.csv --target y`."""

import sys
from importlib import import_module


def main() -> int:
    """Call the command that is named first."""
    commands = {"certify": "lectures_lib.certify.command"}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        print(f"python -m lectures_lib COMMAND, one of: {', '.join(commands)}", file=sys.stderr)
        return 2
    return int(import_module(commands[sys.argv[1]]).main(sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
