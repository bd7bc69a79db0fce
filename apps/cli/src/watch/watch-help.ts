/** The help of `listwatch watch` besides its options. */

/** Shown before the options. */
export const WATCH_EXAMPLES = `Examples:
  $ listwatch watch pods                              # in the namespace of your context
  $ listwatch watch pods -A -l app=web                # in all namespaces, by label
  $ listwatch watch deploy/web -n shop -o wide        # one object, with version, age and labels
  $ listwatch watch events -A --watch-only            # only changes from now on

  $ listwatch watch cm -A | jq -r '.type + " " + .object.metadata.name'
  $ listwatch watch nodes --from 184467 -o name       # resume where another watch ended
  $ listwatch watch leases.coordination.k8s.io --context staging
  $ listwatch watch pods --server https://10.0.0.1:6443 --token "$TOKEN" --certificate-authority ca.crt
`;

/** Shown after the options. */
export const WATCH_NOTES = `
Name a resource as for kubectl: plural, singular, short name or kind, with its group if needed.

Changes go to stdout; the status line and errors go to stderr. After an error (server restart, network failure, expired
history) the command reports it in one line and reconnects. It also shows the deletes that it missed meanwhile (in JSON:
"finalStateKnown": false). In JSON each line is a watch event, {"type", "object"}; existing objects have "initial": true.
Control characters in names, labels and messages are printed as escapes such as \\u001b.

Exit codes: 1 could not start (no such resource, forbidden, no server), 2 wrong option, 130 Ctrl-C, 141 the reader of
the output has gone (as after head), 143 SIGTERM.`;
