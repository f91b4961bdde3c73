"""The files of a program: its data beside its modules, and the files that start it again when they change."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict


def data_of(module: str, name: str) -> str:
    """The text of a file, by its path from the folder of an imported module, in a folder or in an archive of Python."""
    found: Any = sys.modules[module]
    # An archive has no links, and no names with "..".
    path = os.path.normpath(Path(found.__file__).parent / name)
    text: bytes = found.__spec__.loader.get_data(path)
    return text.decode("utf-8")


def own_file() -> Path:
    """The archive or the module that Python runs."""
    return Path(sys.argv[0])


def read_files(*files: Path) -> Dict[Path, bytes]:
    """The contents of some files. A file that does not exist has none.

    When they change, a program ends, and the script of the pod starts it again if its archive is still there.
    """
    found: Dict[Path, bytes] = {}
    for path in files:
        with suppress(FileNotFoundError):
            found[path] = path.read_bytes()
    return found
