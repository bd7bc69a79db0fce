/** The options of `listwatch watch`. */

import { Command } from 'commander';
import { addOptions, type ClusterFlags, type OptionTable } from '../cluster/cluster-flags.ts';
import { WATCH_EXAMPLES, WATCH_NOTES } from './watch-help.ts';

/** The options as typed, before validation. */
export interface WatchFlags extends ClusterFlags {
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
}

/** The options by heading. They have the names that kubectl uses. */
const OPTIONS: OptionTable = {
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
};

/** The command; calls `run` with the options. */
export function watchCommand(run: (flags: WatchFlags) => void): Command {
  const command = new Command('watch')
    .description('Watch a resource of any Kubernetes cluster and print every change.')
    .usage('<resource> [name] [options]')
    .argument('<resource>', 'for example pods, po, deployments.apps, apps/v1/deployments or pods/NAME')
    .argument('[name]', 'name of one object')
    .allowExcessArguments(false);
  addOptions(command, OPTIONS);
  return command
    .addHelpText('before', WATCH_EXAMPLES)
    .addHelpText('after', WATCH_NOTES)
    .action((resource: string, name: string | undefined, flags: Omit<WatchFlags, 'name' | 'resource'>) => {
      run({ ...flags, resource, ...(name === undefined ? {} : { name }) });
    });
}
