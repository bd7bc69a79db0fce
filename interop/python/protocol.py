"""The protocol of interop/README.md for programs in Python."""

import os
import sys
import threading
import traceback

NAMESPACE = os.environ["INTEROP_NAMESPACE"]


class NotOffered(Exception):
    """A command that the client has no API for."""


class View:
    """Keys with their versions; written by one thread, read by another."""

    def __init__(self):
        self._lock = threading.Lock()
        self._state = {}
        self.synced = threading.Event()

    def replace(self, entries):
        with self._lock:
            self._state = dict(entries)
        self.synced.set()

    def put(self, key, version):
        with self._lock:
            self._state[key] = version

    def remove(self, key):
        with self._lock:
            self._state.pop(key, None)

    def entries(self):
        with self._lock:
            return list(self._state.items())


def answer_commands(handlers):
    """Answers each line of the standard input with its handler, until `end`. A handler returns (key, version) pairs or None."""
    for line in sys.stdin:
        command, *args = line.split()
        try:
            if command not in handlers:
                raise NotOffered("there is no command for it")
            for key, version in handlers[command](*args) or []:
                say(f"= {key} {version}" if version is not None else key)
            say("ok")
        except NotOffered as reason:
            say(f"not-offered {reason}")
        except Exception as error:
            traceback.print_exc()
            say(f"failed {type(error).__name__} {error}".replace("\n", " ")[:500])
        if command == "end":
            sys.stdout.flush()
            # Threads that read a watch would keep the process alive.
            os._exit(0)


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def words(version, views, own=()):
    """The answer to `hello`."""
    lines = [f"version {version}", *(f"view {view}" for view in views), *(f"own {name}" for name in own)]
    return [(line, None) for line in lines]
