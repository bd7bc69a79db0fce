#!/usr/bin/env bash
# The scenario of interop/README.md with kubectl. KUBECTL names the program.
set -u
kubectl=${KUBECTL:-kubectl}
namespace=$INTEROP_NAMESPACE
maps=/api/v1/namespaces/$namespace/configmaps
folder=$(mktemp -d)
loops=()

LINES_OF_LIST='{range .items[*]}= {.metadata.namespace}/{.metadata.name} {.metadata.resourceVersion}{"\n"}{end}'
LINE_OF_EVENT='{.type} {.object.metadata.namespace}/{.object.metadata.name} {.object.metadata.resourceVersion}{"\n"}'

# One object of a JSON text a line, as `= NAMESPACE/NAME RESOURCEVERSION`, in whichever order its fields are.
objects() {
  awk 'function field(name) { return match(metadata, "\"" name "\":\"[^\"]*\"") ? \
      substr(metadata, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : "" }
    { start = index($0, "\"metadata\":{"); metadata = substr($0, start) }
    start > 0 && field("name") != "" { print "= " field("namespace") "/" field("name") " " field("resourceVersion") }'
}

# Ends an answer according to the exit code of the command before; the end of its errors is the reason.
finish() {
  if [ "$1" -eq 0 ]; then echo ok; else echo "failed $(tail -n 1 "$folder/errors")"; fi
}

list() {
  "$kubectl" get configmaps --namespace "$namespace" --output "jsonpath=$LINES_OF_LIST" "$@" 2>"$folder/errors"
  finish $?
}

# kubectl ends with its connection: the loop starts it again, and each start begins with a list.
follow() {
  local log=$1 child=
  shift
  trap 'kill "$child" 2>/dev/null; exit 0' TERM
  while true; do
    echo RESET >>"$log"
    "$kubectl" get configmaps --namespace "$namespace" --watch --output-watch-events --output "jsonpath=$LINE_OF_EVENT" "$@" \
      >>"$log" 2>/dev/null &
    child=$!
    wait "$child"
    sleep 0.3
  done
}

dump() {
  touch "$folder/$1"
  awk '$1 == "RESET" { split("", seen); next }
    $1 == "DELETED" { delete seen[$2]; next }
    NF == 3 { seen[$2] = $3 }
    END { for (key in seen) print "= " key " " seen[key] }' "$folder/$1"
  echo ok
}

# Reads a watch into the file `stream` until a line has this text: kubectl itself would wait for the end of the watch.
read_watch_until() {
  local text=$1 child
  # The child truncates it too, but maybe after the first look: that would find the end of the watch before.
  : >"$folder/stream"
  "$kubectl" get --raw "$maps?watch=1&allowWatchBookmarks=true&$2" >"$folder/stream" 2>"$folder/errors" &
  child=$!
  until grep -q "$text" "$folder/stream"; do
    kill -0 "$child" 2>/dev/null || break
    sleep 0.1
  done
  kill "$child" 2>/dev/null
  wait "$child"
  grep -q "$text" "$folder/stream"
}

watch_list() {
  local query='sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=30'
  if ! read_watch_until '"k8s.io/initial-events-end":"true"' "$query$1"; then echo 'failed no end marker'; return; fi
  sed '/initial-events-end/q' "$folder/stream" | grep '"type":"ADDED"' | objects
  echo ok
}

own() {
  case $1 in
    wait)
      "$kubectl" create configmap "waited-$$" --namespace "$namespace" >/dev/null 2>"$folder/errors" || { finish 1; return; }
      (sleep 1; "$kubectl" delete configmap "waited-$$" --namespace "$namespace" --wait=false >/dev/null 2>&1) &
      "$kubectl" wait --for=delete "configmap/waited-$$" --namespace "$namespace" --timeout=30s >/dev/null 2>"$folder/errors"
      finish $?
      ;;
    apply)
      for count in 1 2; do
        printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied-%s}\ndata: {count: "%s"}\n' "$$" "$count" |
          "$kubectl" apply --namespace "$namespace" --filename - >/dev/null 2>"$folder/errors" || { finish 1; return; }
      done
      [ "$("$kubectl" get configmap "applied-$$" --namespace "$namespace" --output 'jsonpath={.data.count}')" = 2 ]
      finish $?
      ;;
    server-side-apply)
      printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied-here-%s}\ndata: {a: "1"}\n' "$$" |
        "$kubectl" apply --server-side --namespace "$namespace" --filename - >/dev/null 2>"$folder/errors"
      finish $?
      ;;
  esac
}

while read -r command first second; do
  case $command in
    hello)
      echo "version $("$kubectl" version --client 2>/dev/null | sed -nE 's/.*(GitVersion:"|Client Version: )v?([^",]*).*/\2/p' | head -1)"
      printf 'view get-watch\nown wait\nown apply\nown server-side-apply\nok\n'
      ;;
    discover)
      # NAME, SHORTNAMES if any, APIVERSION, NAMESPACED, KIND
      "$kubectl" api-resources --no-headers 2>"$folder/errors" | awk '{ print "= " $(NF - 2) "/" $1 " " $NF }'
      finish "${PIPESTATUS[0]}"
      ;;
    list)
      case $first in
        all) list ;;
        paged) list --chunk-size "$second" ;;
        selected) list --selector "$second" ;;
        exact)
          "$kubectl" get --raw "$maps?resourceVersion=$second&resourceVersionMatch=Exact" 2>"$folder/errors" |
            sed 's/.*"items":\[//; s/{"metadata":{/\n&/g' | objects
          finish "${PIPESTATUS[0]}"
          ;;
      esac
      ;;
    bookmark)
      read_watch_until '"type":"BOOKMARK"' "resourceVersion=$first&timeoutSeconds=4"
      sed -nE '/"type":"BOOKMARK"/ { s/.*"resourceVersion":"([0-9]*)".*/= bookmark \1/p; q }' "$folder/stream"
      echo ok
      ;;
    watch-list) if [ "$first" = all ]; then watch_list ''; else watch_list "&labelSelector=${first/=/%3D}"; fi ;;
    start)
      follow "$folder/all" & loops+=($!)
      follow "$folder/selected" --selector "$first" & loops+=($!)
      echo ok
      ;;
    dump) dump "$second" ;;
    expired)
      if "$kubectl" get --raw "$maps?watch=1&resourceVersion=$first&timeoutSeconds=5" 2>&1 | grep -q '"code":410'; then
        echo ok
      else
        echo 'failed no 410'
      fi
      ;;
    own) own "$first" ;;
    end)
      [ "${#loops[@]}" -eq 0 ] || kill "${loops[@]}"
      wait
      rm -r "$folder"
      echo ok
      exit 0
      ;;
  esac
done
