/** The options of `listwatch doctor`. */

import { Command } from 'commander';
import { addOptions, type ClusterFlags, type OptionTable } from '../cluster/cluster-flags.ts';
import { DOCTOR_EXAMPLES, DOCTOR_NOTES } from './doctor-help.ts';

/** The options as typed, before validation. */
export interface DoctorFlags extends ClusterFlags {
  readonly only?: string | undefined;
  readonly skip?: string | undefined;
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly informers?: string | undefined;
  readonly rights?: string | undefined;
  readonly write?: boolean | undefined;
  readonly duration?: string | undefined;
  readonly thorough?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly top?: string | undefined;
  readonly output?: string | undefined;
  /** False with `--no-status`. */
  readonly status?: boolean | undefined;
}

/** The options by heading; a page of the reference is held against it by a test. */
export const DOCTOR_OPTIONS: OptionTable = {
  'What to examine:': [
    ['--only <CHECKS>', 'run only these checks, separated by commas'],
    ['--skip <CHECKS>', 'leave these checks out'],
    ['--resource <RESOURCE>', 'resource to probe [configmaps, else the first that may be listed]'],
    ['-n, --namespace <NAMESPACE>', 'probe this namespace only [all; if forbidden, that of the context]'],
    ['--service-account <NAMESPACE/NAME>', 'permissions: of this service account [the user of the context]'],
    ['--informers <RESOURCES>', 'permissions: which rights are missing for informers of these, separated by commas'],
    ['--rights <FILE>', 'permissions: which of the rights that a manager recorded (recordRights) are missing'],
    ['--write', 'measure the watch latency with a temporary ConfigMap, which is deleted again'],
    ['--duration <TIME>', 'how long to hold a quiet watch and to wait for bookmarks [20s]'],
    ['--thorough', 'hold the watches for 5m, and measure every resource'],
    ['--timeout <TIME>', 'time limit of each check, besides --duration [30s]'],
    ['--top <N>', 'how many of the largest lists to show [10]'],
  ],
  'Output:': [
    ['-o, --output <FORMAT>', 'text or json [text]'],
    ['--no-status', 'hide the status line'],
  ],
};

/** The command; calls `run` with the options. */
export function doctorCommand(run: (flags: DoctorFlags) => void): Command {
  const command = new Command('doctor')
    .description('Examine how well list and watch work in any Kubernetes cluster.')
    .usage('[options]')
    .allowExcessArguments(false);
  addOptions(command, DOCTOR_OPTIONS);
  return command
    .addHelpText('before', DOCTOR_EXAMPLES)
    .addHelpText('after', DOCTOR_NOTES)
    .action((flags: DoctorFlags) => run(flags));
}
