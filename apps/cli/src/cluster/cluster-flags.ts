/** The options that say which cluster a command talks to. They have the names that kubectl uses. */

import { type Command, Option } from 'commander';

/** The options as typed, before validation. */
export interface ClusterFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly as?: string | undefined;
  readonly asGroup?: readonly string[] | undefined;
}

/** Flags and their help, by heading. */
export type OptionTable = Readonly<Record<string, readonly (readonly [string, string])[]>>;

const CLUSTER_OPTIONS: OptionTable = {
  'Which cluster:': [
    ['--kubeconfig <FILE>', 'path to the kubeconfig [KUBECONFIG, else ~/.kube/config]'],
    ['--context <NAME>', 'kubeconfig context to use [the current context]'],
    ['-s, --server <URL>', 'address of the API server; no kubeconfig is read'],
    ['--token <TOKEN>', 'bearer token for --server'],
    ['--certificate-authority <FILE>', 'CA certificates to verify --server with, PEM'],
    ['--client-certificate <FILE>', 'client certificate for --server, PEM'],
    ['--client-key <FILE>', 'private key of the client certificate, PEM'],
    ['--tls-server-name <NAME>', 'server name to expect in the certificate of --server [its host]'],
    ['--insecure-skip-tls-verify', 'skip TLS certificate verification of --server (insecure)'],
    ['--as <USER>', 'user to impersonate'],
    ['--as-group <GROUP>', 'group to impersonate; can be repeated'],
  ],
};

/** Adds the options of a command, and behind them those of the cluster. */
export function addOptions(command: Command, options: OptionTable): void {
  for (const [heading, rows] of Object.entries({ ...options, ...CLUSTER_OPTIONS })) {
    for (const [flags, help] of rows) command.addOption(toOption(flags, help).helpGroup(heading));
  }
}

function toOption(flags: string, help: string): Option {
  const option = new Option(flags, help);
  if (option.attributeName() !== 'asGroup') return option;
  // One by one: commander's own lists would swallow the resource in `--as-group a pods`.
  return option.argParser((group: string, before: readonly string[] | undefined) => [...(before ?? []), group]);
}
