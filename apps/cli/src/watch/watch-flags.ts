/** The options of `listwatch watch`. */

import { Command, Option } from 'commander';
import { WATCH_EXAMPLES, WATCH_NOTES } from './watch-help.ts';

/** The options as typed, before validation. */
export interface WatchFlags {
  readonly resource: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly from?: string | undefined;
  readonly watchOnly?: boolean | undefined;
  readonly output?: string | undefined;
  /** False with `--no-status`. */
  readonly status?: boolean | undefined;
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

/** The options by heading. They have the names that kubectl uses. */
const OPTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'What to watch:': [
    ['-n, --namespace <NAMESPACE>', 'namespace to watch [that of the context, else default]'],
    ['-A, --all-namespaces', 'watch all namespaces'],
    ['-l, --selector <SELECTOR>', 'label selector, such as app=web,tier!=test'],
    ['--field-selector <SELECTOR>', 'field selector, such as status.phase=Running'],
    ['--from <VERSION>', 'resume after this resourceVersion, without listing first'],
    ['--watch-only', 'show changes only, not the existing objects'],
  ],
  'Output:': [
    ['-o, --output <FORMAT>', 'text, wide, json (one event per line) or name [text on a terminal, else json]'],
    ['--no-status', 'hide the status line'],
  ],
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

/** The command; calls `run` with the options. */
export function watchCommand(run: (flags: WatchFlags) => void): Command {
  const command = new Command('watch')
    .description('Watch a resource of any Kubernetes cluster and print every change.')
    .usage('<resource> [name] [options]')
    .argument('<resource>', 'for example pods, po, deployments.apps, apps/v1/deployments or pods/NAME')
    .argument('[name]', 'name of one object')
    .allowExcessArguments(false);
  for (const [heading, options] of Object.entries(OPTIONS)) {
    for (const [flags, help] of options) command.addOption(toOption(flags, help).helpGroup(heading));
  }
  return command
    .addHelpText('before', WATCH_EXAMPLES)
    .addHelpText('after', WATCH_NOTES)
    .action((resource: string, name: string | undefined, flags: Omit<WatchFlags, 'name' | 'resource'>) => {
      run({ ...flags, resource, ...(name === undefined ? {} : { name }) });
    });
}

function toOption(flags: string, help: string): Option {
  const option = new Option(flags, help);
  if (option.attributeName() !== 'asGroup') return option;
  // One by one: commander's own lists would swallow the resource in `--as-group a pods`.
  return option.argParser((group: string, before: readonly string[] | undefined) => [...(before ?? []), group]);
}
