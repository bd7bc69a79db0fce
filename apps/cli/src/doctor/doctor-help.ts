/** The help of `listwatch doctor` besides its options. */

/** Shown before the options. */
export const DOCTOR_EXAMPLES = `Examples:
  $ listwatch doctor                                  # the cluster of your context, in half a minute
  $ listwatch doctor --write                          # also measure how long a change takes to arrive
  $ listwatch doctor --duration 5m --only quiet,bookmarks   # find a proxy that cuts quiet watches
  $ listwatch doctor --only cost --top 20             # what each list costs, and how to follow it
  $ listwatch doctor --resource pods -n shop          # probe with other objects
  $ listwatch doctor --only permissions --service-account shop/robot --informers pods,services -n shop
  $ listwatch doctor --only permissions --service-account shop/robot --rights rights.json   # of manager({ recordRights })
  $ listwatch doctor -o json | jq '.checks[] | select(.verdict == "fail")'
`;

/** Shown after the options. */
export const DOCTOR_NOTES = `
Checks: server, rtt, clock, discovery, permissions, http2, paging, versions, history, watch-list, bookmarks, quiet,
latency, fairness, cost, compression.

Nothing is written without --write. The report goes to stdout, the status line to stderr. Text from the server is printed
with control characters as escapes such as \\u001b.

Verdicts: ok; note, works but costs more than it must; warn, clients will stall or lag; fail, list-watch does not work;
skipped, not examined. Exit codes: 0 nothing is wrong, 1 there is a warn or a fail, or it could not start, 2 wrong
option, 130 Ctrl-C, 141 the reader of the output has gone, 143 SIGTERM.`;
