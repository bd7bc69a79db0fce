/** The help of `listwatch serve` besides its options. */

/** Shown before the options. */
export const SERVE_EXAMPLES = `Examples:
  $ listwatch serve                                   # https://127.0.0.1:6443, everything in ./.listwatch
  $ export KUBECONFIG=.listwatch/kubeconfig           # then, in another terminal
  $ kubectl get namespaces
  $ kubectl get configmaps -A -w

  $ listwatch serve --port 0 --storage memory         # any free port, nothing stored
  $ listwatch serve --history 7d                      # watches can resume for a week
  $ listwatch serve --etcd-servers http://10.0.0.1:2379,http://10.0.0.2:2379
  $ LISTWATCH_PORT=7443 listwatch serve --config listwatch.yaml
`;

/** Shown after the options. */
export const SERVE_NOTES = `
Every option can also be set by an environment variable (LISTWATCH_BIND_ADDRESS for --bind-address) or in the --config
file (bind-address: 0.0.0.0). A flag overrides a variable, a variable overrides the file. Relative paths start at the
working directory.

The console is a web page on a port of its own, by the link that the server prints. For another link: kill -USR2 PID.
The page only reads unless --console-access is write.

SIGTERM or Ctrl-C shuts down gracefully, a second one exits at once. Exit codes: 0 shut down as asked, 1 could not start
or continue, 2 wrong option, 130 second Ctrl-C.`;
