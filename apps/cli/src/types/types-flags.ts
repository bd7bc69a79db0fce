/** The options of `listwatch types`. */

import { Command } from 'commander';
import { addOptions, type ClusterFlags, type OptionTable } from '../cluster/cluster-flags.ts';

/** The options as typed, before validation. */
export interface TypesFlags extends ClusterFlags {
  readonly paths: readonly string[];
  readonly cluster?: boolean | undefined;
  readonly only?: string | undefined;
  readonly output?: string | undefined;
}

/** The options by heading; a page of the reference is held against it by a test. */
export const TYPES_OPTIONS: OptionTable = {
  'What to write:': [
    ['--cluster', 'read the CRDs of a cluster, not of files'],
    ['--only <NAMES>', 'only these CRDs, separated by commas: websites.example.com [all]'],
    ['-o, --output <FILE>', 'write to this file [the standard output]'],
  ],
};

const EXAMPLES = `Examples:
  $ listwatch types crd.yaml > src/website.ts                        # the types of one file
  $ listwatch types config/crd -o src/kinds.ts                       # of all CRDs in a folder
  $ listwatch types --cluster --only certificates.cert-manager.io    # of a cluster
`;

const NOTES = `
The module that it writes has an interface for the objects of each kind, its spec and its status, with what the server
checks as comments, and a resource for informer, controller and cluster.get. It imports @listwatch/api only.

Exit codes: 0 written, 1 a file or the cluster cannot be read, 2 a wrong option.`;

/** The command; calls `run` with the options. */
export function typesCommand(run: (flags: TypesFlags) => void): Command {
  const command = new Command('types')
    .description('Write the TypeScript types of CRDs.')
    .usage('[options] [FILE|FOLDER...]')
    .argument('[FILE...]', 'files or folders with CRDs in YAML or JSON');
  addOptions(command, TYPES_OPTIONS);
  return command
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action((paths: readonly string[], flags: Omit<TypesFlags, 'paths'>) => run({ ...flags, paths }));
}
