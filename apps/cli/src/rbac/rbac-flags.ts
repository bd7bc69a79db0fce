/** The options of `listwatch rbac`. */

import { Command, Option } from 'commander';
import type { OptionTable } from '../cluster/cluster-flags.ts';

/** The options as typed, before validation. */
export interface RbacFlags {
  readonly from?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly serviceAccount?: string | undefined;
}

/** The options by heading; a page of the reference is held against it by a test. */
export const RBAC_OPTIONS: OptionTable = {
  'What to print:': [
    ['--from <FILE...>', 'what managers recorded with recordRights; several files are taken together'],
    ['--name <NAME>', 'name of the roles [operator]'],
    ['--service-account <NAMESPACE/NAME>', 'also print bindings of the roles to this service account'],
  ],
};

const EXAMPLES = `Examples:
  // In the program, for one run with rights to spare, such as its tests:
  manager(cluster, { recordRights: 'rights.json' });

  $ listwatch rbac --from rights.json --name shop > rbac.yaml
  $ listwatch rbac --from first.json second.json                     # of a leader and of one that waited
  $ listwatch rbac --from rights.json --service-account shop/robot | kubectl apply -f -
  $ listwatch doctor --rights rights.json --service-account shop/robot   # has it these rights in a cluster?
`;

const NOTES = `
It prints the smallest roles with which the recorded requests are allowed: a ClusterRole for what was done in all
namespaces or in none, a Role for each other namespace. What is listed or watched in all namespaces may be written in
all of them. Names of objects are in a rule for Leases, and for objects that are followed by their name.

A right that the run did not use is not there: let the program create, change, delete and fail before it stops.

Exit codes: 0 printed, 1 a file cannot be read, 2 a wrong option.`;

/** The command; calls `run` with the options. */
export function rbacCommand(run: (flags: RbacFlags) => void): Command {
  const command = new Command('rbac')
    .description('Print the smallest Role for what an operator did.')
    .usage('--from FILE... [options]')
    .allowExcessArguments(false);
  for (const [heading, rows] of Object.entries(RBAC_OPTIONS)) {
    for (const [flags, help] of rows) command.addOption(new Option(flags, help).helpGroup(heading));
  }
  return command
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action((flags: RbacFlags) => run(flags));
}
