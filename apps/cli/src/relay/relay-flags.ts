/** The options of `listwatch relay`. */

import { Command } from 'commander';
import { addOptions, type ClusterFlags, type OptionTable } from '../cluster/cluster-flags.ts';

/** The options as typed, before validation. */
export interface RelayFlags extends ClusterFlags {
  readonly kinds?: string | undefined;
  readonly port?: string | undefined;
  readonly bindAddress?: string | undefined;
  readonly tlsCertFile?: string | undefined;
  readonly tlsPrivateKeyFile?: string | undefined;
  readonly data?: string | undefined;
  readonly healthAddress?: string | undefined;
  readonly accessCache?: string | undefined;
  readonly maxKindMib?: string | undefined;
  readonly staleReads?: boolean | undefined;
  readonly stretchAccess?: string | undefined;
  readonly journal?: string | undefined;
  readonly journalKeyFile?: string | undefined;
  readonly auditPolicyFile?: string | undefined;
  readonly auditLogPath?: string | undefined;
  readonly logFormat?: string | undefined;
}

/** The options by heading; a page of the reference is held against it by a test. */
export const RELAY_OPTIONS: OptionTable = {
  'What it answers:': [
    ['--kinds <KINDS>', 'kinds to answer reads of, separated by commas: pods,deployments.apps,widgets.example.com'],
    ['--max-kind-mib <N>', 'memory for the objects of one kind, in MiB; a kind with more passes [512]'],
    ['--access-cache <TIME>', 'how long answers of the upstream about users and access are kept, 0 to 10s [10s]'],
  ],
  'Listening:': [
    ['-p, --port <PORT>', 'HTTPS port; 0 takes any free one [6444]'],
    ['--bind-address <IP>', 'address to listen on; 0.0.0.0 for all [127.0.0.1]'],
    ['--tls-cert-file <FILE>', 'certificate to serve with, PEM, with its chain [made in the data folder]'],
    ['--tls-private-key-file <FILE>', 'its private key, PEM'],
    ['--data <DIR>', 'folder of the certificates that are made when none is given [./.listwatch-relay]'],
    [
      '--health-address <IP:PORT>',
      'plain HTTP for /livez, /readyz, /metrics and /debug/relay; off for none [127.0.0.1:6445]',
    ],
  ],
  'While the upstream is away:': [
    ['--stale-reads', 'answer reads of the most recent state with what the cache has, saying how old it is [504]'],
    ['--stretch-access <TIME>', 'how long known users keep what they were allowed, at most 7d [0]'],
  ],
  'Restarts:': [
    ['--journal <DIR>', 'folder in which the kinds are kept: a relay that was restarted goes on without a list'],
    ['--journal-key-file <FILE>', 'key of 32 bytes that encrypts it; without one Secrets are not written'],
  ],
  'Audit:': [
    ['--audit-policy-file <FILE>', 'audit policy for the reads that it answers; needs --audit-log-path'],
    ['--audit-log-path <FILE>', 'file of the audit log; - is the standard output'],
  ],
  'Output:': [['--log-format <FORMAT>', 'text or json [text on a terminal, json elsewhere]']],
};

const EXAMPLES = `Examples:
  $ listwatch relay --kinds pods,nodes                       # in front of the cluster of your current context
  $ listwatch relay --kubeconfig relay.kubeconfig --kinds pods,services,deployments.apps --bind-address 0.0.0.0
  $ listwatch relay --kinds pods --stale-reads --stretch-access 12h --journal /var/lib/listwatch --journal-key-file key  # at the edge
`;

const NOTES = `
Lists, gets and watches at a version of these kinds come from the relay's cache, with the resourceVersions of the
upstream server. Everything else passes through with the client's own token. Users are authenticated and authorized by
the upstream: the account of the relay needs the role system:auth-delegator, and get, list and watch of the kinds; for
custom kinds also of their CustomResourceDefinitions and APIServices.

Clients change one thing: the server in their kubeconfig, and the authority of its certificate. They log in with
bearer tokens (service accounts, OIDC); client certificates cannot pass through.

Exit codes: 1 could not start, 2 wrong option, 130 Ctrl-C, 143 SIGTERM.`;

/** The command; calls `run` with the options. */
export function relayCommand(run: (flags: RelayFlags) => void): Command {
  const command = new Command('relay')
    .description('Answer lists and watches of any cluster from one cache in front of it.')
    .usage('--kinds <KINDS> [options]')
    .allowExcessArguments(false);
  addOptions(command, RELAY_OPTIONS);
  return command
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action((flags: RelayFlags) => run(flags));
}
