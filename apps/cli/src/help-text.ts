/** What the help of `serve` says besides its options. */

/** Shown first: how one begins. */
export const SERVE_EXAMPLES = `Examples:
  $ listwatch serve                                   # https://127.0.0.1:6443, everything in ./.listwatch
  $ export KUBECONFIG=.listwatch/kubeconfig           # then, in another terminal
  $ kubectl get namespaces
  $ kubectl get configmaps -A -w

  $ listwatch serve --port 0 --storage memory         # any free port, nothing kept
  $ listwatch serve --history 7d                      # a watch may resume after a week
  $ listwatch serve --etcd-servers http://10.0.0.1:2379,http://10.0.0.2:2379
  $ LISTWATCH_PORT=7443 listwatch serve --config listwatch.yaml
`;

/** Shown last: where options come from, and how the command ends. */
export const SERVE_NOTES = `
Every option can also be given as a variable (LISTWATCH_BIND_ADDRESS for --bind-address) or in the file of --config
(bind-address: 0.0.0.0). A flag wins over a variable, a variable over the file. Paths are taken from the folder that the
command is started in.

SIGTERM or Ctrl-C ends gracefully, a second one at once. Exit codes: 0 ended as asked, 1 could not start or go on, 2 a
wrong option, 130 cut off by a second Ctrl-C.`;
