/** The options of `listwatch watch`, as the command line knows them. */

import { Command, Option } from 'commander';
import { WATCH_EXAMPLES, WATCH_NOTES } from './watch-help.ts';

/** What was typed; nothing has been checked. */
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
  /** False: no status line. */
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

/** Each option under its heading, by the names that kubectl has for it. */
const OPTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'What to watch:': [
    ['-n, --namespace <NAMESPACE>', 'one namespace [that of the context, else default]'],
    ['-A, --all-namespaces', 'every namespace'],
    ['-l, --selector <SELECTOR>', 'objects with these labels, such as app=web,tier!=test'],
    ['--field-selector <SELECTOR>', 'objects with these fields, such as status.phase=Running'],
    ['--from <VERSION>', 'resume: what has changed since this resourceVersion, without a list'],
    ['--watch-only', 'leave out the objects that are there already'],
  ],
  'Output:': [
    ['-o, --output <FORMAT>', 'text, wide, json (one object a line) or name [text on a terminal, json elsewhere]'],
    ['--no-status', 'no status line'],
  ],
  'Which cluster:': [
    ['--kubeconfig <FILE>', 'kubeconfig to use [those of KUBECONFIG, else ~/.kube/config]'],
    ['--context <NAME>', 'context of it [the current one]'],
    ['-s, --server <URL>', 'a server by its address, without a kubeconfig'],
    ['--token <TOKEN>', 'bearer token for --server'],
    ['--certificate-authority <FILE>', 'whom to trust for --server, in PEM'],
    ['--client-certificate <FILE>', 'who we are for --server, in PEM'],
    ['--client-key <FILE>', 'the key of that certificate'],
    ['--tls-server-name <NAME>', 'name in the certificate of --server [its host]'],
    ['--insecure-skip-tls-verify', 'believe anybody who says to be --server'],
    ['--as <USER>', 'act as this user'],
    ['--as-group <GROUP>', 'act as member of this group; may be repeated'],
  ],
};

/** The command; `run` gets what was typed. */
export function watchCommand(run: (flags: WatchFlags) => void): Command {
  const command = new Command('watch')
    .description('Show live changes of a resource of any cluster.')
    .usage('<resource> [name] [options]')
    .argument('<resource>', 'pods, po, deployments.apps, apps/v1/deployments, pods/NAME')
    .argument('[name]', 'one object')
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
