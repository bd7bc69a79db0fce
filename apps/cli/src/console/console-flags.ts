/** The options of `listwatch console`. */

import { Command } from 'commander';
import { addOptions, type ClusterFlags, type OptionTable } from '../cluster/cluster-flags.ts';

/** The options as typed, before validation. */
export interface ConsoleFlags extends ClusterFlags {
  readonly write?: boolean | undefined;
  readonly port?: string | undefined;
  readonly open?: boolean | undefined;
}

/** The options by heading; a page of the reference is held against it by a test. */
export const CONSOLE_OPTIONS: OptionTable = {
  'The page:': [
    ['--write', 'allow the page to change objects [it only reads]'],
    ['--open', 'open it in your browser'],
    ['-p, --port <PORT>', 'port on 127.0.0.1 [any free one]'],
  ],
};

const EXAMPLES = `Examples:
  $ listwatch console --open                             # the cluster of your current context, in your browser
  $ listwatch console --context staging --port 7000
  $ listwatch console --write                            # edit, scale and delete as well
  $ listwatch console --kubeconfig .listwatch/kubeconfig # a server of listwatch serve
`;

const NOTES = `
It prints a link, and with --open it opens one. A link logs in one browser, once, within ten minutes; the login lasts
eight hours, or until the command ends. For another link: kill -USR2 PID, or start the command again.

On another machine: give it a port, forward that port, and open the link on your own machine.
  $ ssh -L 7000:127.0.0.1:7000 HOST listwatch console --port 7000

The page and its requests go through this command, which listens on 127.0.0.1 only. It sends them to the cluster with
your own credentials (certificate, token, OIDC, exec plugin), which the page never sees. Without --write it refuses
everything but reading. It never runs commands in containers, passes through to workloads or makes tokens.

Exit codes: 1 could not start, 2 wrong option, 130 Ctrl-C, 143 SIGTERM.`;

/** The command; calls `run` with the options. */
export function consoleCommand(run: (flags: ConsoleFlags) => void): Command {
  const command = new Command('console')
    .description('Open any Kubernetes cluster in a web page.')
    .usage('[options]')
    .allowExcessArguments(false);
  addOptions(command, CONSOLE_OPTIONS);
  return command
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action((flags: ConsoleFlags) => run(flags));
}
