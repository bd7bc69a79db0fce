"""The scenario with kopf: an operator whose handlers see every event."""

import asyncio
import importlib.metadata
import threading

import kopf
from protocol import NAMESPACE, NotOffered, View, answer_commands, words

view = View()
ready = threading.Event()
stop = threading.Event()
NO_CLIENT = "kopf is a framework for operators and has no client of its own"
NO_SELECTOR = "a deletion is certain to be seen only with a finalizer, and an object that no longer matches would keep it"


@kopf.on.startup()
def configure(settings, **_):
    # Every change is seen, not only the last one of a second.
    settings.posting.enabled = False
    settings.watching.reconnect_backoff = 0.5


@kopf.on.event("configmaps")
def saw(event, namespace, name, meta, **_):
    key = f"{namespace}/{name}"
    if event["type"] == "DELETED":
        view.remove(key)
    else:
        view.put(key, meta["resourceVersion"])


@kopf.on.delete("configmaps")
def deleted(**_):
    """With this handler kopf adds a finalizer to each object, so that no deletion goes unseen while it is away."""


def operate():
    asyncio.run(kopf.operator(standalone=True, namespaces=[NAMESPACE], ready_flag=ready, stop_flag=stop))


def not_offered(*_):
    raise NotOffered(NO_CLIENT)


def start(_selector):
    threading.Thread(target=operate, daemon=True).start()
    if not ready.wait(60):
        raise TimeoutError("the operator was not ready")


def dump(_view, scope):
    if scope == "selected":
        raise NotOffered(NO_SELECTOR)
    return view.entries()


answer_commands(
    {
        "hello": lambda: words(importlib.metadata.version("kopf"), ["handler"]),
        "discover": not_offered,
        "list": not_offered,
        "bookmark": not_offered,
        "watch-list": not_offered,
        "expired": not_offered,
        "start": start,
        "dump": dump,
        "end": stop.set,
    }
)
