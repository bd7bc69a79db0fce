"""The scenario with the package `kubernetes`: a list and a watch with resume, as its examples have it."""

import importlib.metadata
import sys
import threading
import time

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from protocol import NAMESPACE, View, answer_commands, words

config.load_kube_config()
core = client.CoreV1Api()
views = {}
RETRY_SECONDS = 0.5


def entry(object):
    return f"{object.metadata.namespace}/{object.metadata.name}", object.metadata.resource_version


def discover():
    # The constructor reads all of it: kinds in every group and version.
    resources = dynamic.DynamicClient(client.ApiClient()).resources
    found = {}
    for resource in resources.search():
        # Lists of kinds are resources of this client's own.
        if not isinstance(resource, dynamic.resource.ResourceList):
            found[f"{resource.group_version}/{resource.name}"] = resource.kind
    return found.items()


def list_objects(kind, value=None):
    if kind == "paged":
        items, token = [], None
        while True:
            page = core.list_namespaced_config_map(NAMESPACE, limit=int(value), _continue=token)
            items += page.items
            token = page.metadata._continue
            if not token:
                return map(entry, items)
    options = {"all": {}, "selected": {"label_selector": value}, "exact": {"resource_version": value, "resource_version_match": "Exact"}}
    return map(entry, core.list_namespaced_config_map(NAMESPACE, **options[kind]).items)


def bookmark(version):
    stream = watch.Watch().stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=version, allow_watch_bookmarks=True, timeout_seconds=6
    )
    for event in stream:
        if event["type"] == "BOOKMARK":
            return [("bookmark", event["raw_object"]["metadata"]["resourceVersion"])]
    raise RuntimeError("the watch ended without a bookmark")


def watch_list(selector):
    options = {} if selector == "all" else {"label_selector": selector}
    stream = watch.Watch().stream(
        core.list_namespaced_config_map,
        NAMESPACE,
        send_initial_events=True,
        resource_version_match="NotOlderThan",
        allow_watch_bookmarks=True,
        timeout_seconds=60,
        **options,
    )
    found = []
    for event in stream:
        if event["type"] == "ADDED":
            found.append(entry(event["object"]))
        annotations = event["raw_object"]["metadata"].get("annotations", {})
        if event["type"] == "BOOKMARK" and annotations.get("k8s.io/initial-events-end") == "true":
            return found
    raise RuntimeError("the watch ended without the end marker")


def follow(view, options):
    """Lists, then watches from there; Watch resumes by itself at an end, and raises at an error or a 410."""
    version = None
    while True:
        try:
            if version is None:
                listed = core.list_namespaced_config_map(NAMESPACE, **options)
                view.replace(map(entry, listed.items))
                version = listed.metadata.resource_version
            stream = watch.Watch().stream(
                core.list_namespaced_config_map, NAMESPACE, resource_version=version, allow_watch_bookmarks=True, **options
            )
            for event in stream:
                metadata = event["raw_object"]["metadata"]
                version = metadata["resourceVersion"]
                if event["type"] == "DELETED":
                    view.remove(f"{metadata['namespace']}/{metadata['name']}")
                elif event["type"] != "BOOKMARK":
                    view.put(f"{metadata['namespace']}/{metadata['name']}", version)
        except ApiException as error:
            if error.status == 410:
                version = None
        except Exception as error:
            print(repr(error), file=sys.stderr, flush=True)
        time.sleep(RETRY_SECONDS)


def start(selector):
    for scope, options in (("all", {}), ("selected", {"label_selector": selector})):
        views[scope] = View()
        threading.Thread(target=follow, args=(views[scope], options), daemon=True).start()
    for view in views.values():
        if not view.synced.wait(60):
            raise TimeoutError("no first list")


def expired(version):
    try:
        for _ in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, resource_version=version, timeout_seconds=5):
            pass
    except ApiException as error:
        if error.status == 410:
            return
        raise
    raise RuntimeError("no 410")


def own(name):
    """Creates, patches and deletes by server-side apply through the dynamic client."""
    maps = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "1"}}
    maps.server_side_apply(body=body, name="applied", namespace=NAMESPACE, field_manager="interop")
    if maps.get(name="applied", namespace=NAMESPACE).data["a"] != "1":
        raise RuntimeError("the object is not as it was applied")
    maps.delete(name="applied", namespace=NAMESPACE)


answer_commands(
    {
        "hello": lambda: words(importlib.metadata.version("kubernetes"), ["watch"], ["server-side-apply"]),
        "discover": discover,
        "list": list_objects,
        "bookmark": bookmark,
        "watch-list": watch_list,
        "start": start,
        "dump": lambda _view, scope: views[scope].entries(),
        "expired": expired,
        "own": own,
        "end": lambda: None,
    }
)
