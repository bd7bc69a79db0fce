"""The scenario with lightkube."""

import importlib.metadata
import sys
import threading
import time

from lightkube import ApiError, Client
from lightkube.resources.core_v1 import ConfigMap
from protocol import NAMESPACE, NotOffered, View, answer_commands, words

client = Client()
views = {}
RETRY_SECONDS = 0.5


def entry(object):
    return f"{object.metadata.namespace}/{object.metadata.name}", object.metadata.resourceVersion


def list_objects(kind, value=None):
    if kind == "exact":
        raise NotOffered("its lists take no resourceVersion")
    options = {}
    if kind == "paged":
        options["chunk_size"] = int(value)
    if kind == "selected":
        options["labels"] = dict([value.split("=")])
    return map(entry, client.list(ConfigMap, namespace=NAMESPACE, **options))


def no_bookmarks(_version):
    raise NotOffered("its watches do not ask for bookmarks")


def no_watch_list(_selector):
    raise NotOffered("its watches take no sendInitialEvents")


def follow(view, labels):
    """Lists, then watches from the version of the list; lightkube resumes at an end, and raises at an error or a 410."""
    version = None
    while True:
        try:
            if version is None:
                listed = client.list(ConfigMap, namespace=NAMESPACE, labels=labels)
                view.replace(map(entry, listed))
                version = listed.resourceVersion
            for kind, object in client.watch(ConfigMap, namespace=NAMESPACE, labels=labels, resource_version=version):
                key, version = entry(object)
                if kind == "DELETED":
                    view.remove(key)
                else:
                    view.put(key, version)
        except ApiError as error:
            if error.status.code == 410:
                version = None
        except Exception as error:
            print(repr(error), file=sys.stderr, flush=True)
        time.sleep(RETRY_SECONDS)


def start(selector):
    for scope, labels in (("all", None), ("selected", dict([selector.split("=")]))):
        views[scope] = View()
        threading.Thread(target=follow, args=(views[scope], labels), daemon=True).start()
    for view in views.values():
        if not view.synced.wait(60):
            raise TimeoutError("no first list")


def expired(version):
    try:
        for _ in client.watch(ConfigMap, namespace=NAMESPACE, resource_version=version, server_timeout=5):
            pass
    except ApiError as error:
        if error.status.code == 410:
            return
        raise
    raise RuntimeError("no 410")


def own(_name):
    """Server-side apply."""
    body = ConfigMap.from_dict({"metadata": {"name": "applied", "namespace": NAMESPACE}, "data": {"a": "1"}})
    client.apply(body, field_manager="interop")
    if client.get(ConfigMap, "applied", namespace=NAMESPACE).data != {"a": "1"}:
        raise RuntimeError("the object is not as it was applied")
    client.delete(ConfigMap, "applied", namespace=NAMESPACE)


def discover():
    raise NotOffered("it has the kinds of Kubernetes built in")


answer_commands(
    {
        "hello": lambda: words(importlib.metadata.version("lightkube"), ["watch"], ["server-side-apply"]),
        "discover": discover,
        "list": list_objects,
        "bookmark": no_bookmarks,
        "watch-list": no_watch_list,
        "start": start,
        "dump": lambda _view, scope: views[scope].entries(),
        "expired": expired,
        "own": own,
        "end": lambda: None,
    }
)
