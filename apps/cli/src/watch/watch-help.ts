/** What the help of `watch` says besides its options. */

/** Shown first: how one begins. */
export const WATCH_EXAMPLES = `Examples:
  $ listwatch watch pods                              # those of the namespace of your context
  $ listwatch watch pods -A -l app=web                # in every namespace, by label
  $ listwatch watch deploy/web -n shop -o wide        # one object, with version, age and labels
  $ listwatch watch events -A --watch-only            # only what happens from now on

  $ listwatch watch cm -A | jq -r '.type + " " + .object.metadata.name'
  $ listwatch watch nodes --from 184467 -o name       # go on where another watch ended
  $ listwatch watch leases.coordination.k8s.io --context staging
  $ listwatch watch pods --server https://10.0.0.1:6443 --token "$TOKEN" --certificate-authority ca.crt
`;

/** Shown last: what one sees, and how the command ends. */
export const WATCH_NOTES = `
A resource is named as for kubectl: plural, singular, short name or kind, with its group where that is needed.

Output goes to stdout; the status line and whatever fails go to stderr. What fails is told in one line and tried again:
the server may restart, the network may go away, the history may have left us behind. Deletes that went unseen meanwhile
are shown too (in JSON: "finalStateKnown": false). In JSON each line is an event of the API, {"type", "object"}; objects
that were there before have "initial": true.

Exit codes: 1 could not start (no such resource, forbidden, no server), 2 wrong option, 130 Ctrl-C, 141 the reader of
the output has gone (as after head), 143 SIGTERM.`;
