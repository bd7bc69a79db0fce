/** Parses the command line and prints help. */

import { Command, CommanderError, Option } from 'commander';
import { type ConsoleFlags, consoleCommand } from './console/console-flags.ts';
import { type DoctorFlags, doctorCommand } from './doctor/doctor-flags.ts';
import { SERVE_EXAMPLES, SERVE_NOTES } from './help-text.ts';
import { type RbacFlags, rbacCommand } from './rbac/rbac-flags.ts';
import { type RelayFlags, relayCommand } from './relay/relay-flags.ts';
import type { RawOptions } from './serve/config-file.ts';
import { type OptionSpec, optionName } from './serve/option-spec.ts';
import { SERVE_OPTIONS, SETTING_NAMES } from './serve/serve-options.ts';
import { type StoreCheckFlags, storeCommand } from './store/store-command.ts';
import { type TypesFlags, typesCommand } from './types/types-flags.ts';
import { UsageError } from './usage-error.ts';
import { type UserFlags, userCommand } from './user/user-command.ts';
import { type WatchFlags, watchCommand } from './watch/watch-flags.ts';

/** The parsed command. */
export type Invocation =
  /** Print help or the version, then exit. */
  | { readonly type: 'print'; readonly text: string }
  | { readonly type: 'serve'; readonly flags: RawOptions & { readonly config?: string | undefined } }
  | { readonly type: 'watch'; readonly flags: WatchFlags }
  | { readonly type: 'console'; readonly flags: ConsoleFlags }
  | { readonly type: 'relay'; readonly flags: RelayFlags }
  | { readonly type: 'doctor'; readonly flags: DoctorFlags }
  | { readonly type: 'types'; readonly flags: TypesFlags }
  | { readonly type: 'rbac'; readonly flags: RbacFlags }
  | { readonly type: 'store check'; readonly flags: StoreCheckFlags }
  | { readonly type: 'user'; readonly flags: UserFlags };

/** Parses the arguments after the command's own name. Throws a `UsageError` for unknown ones. */
export function parseCommandLine(args: readonly string[], version: string): Invocation {
  let printed = '';
  let invocation: Invocation | undefined;
  const print = (text: string): void => {
    printed += text;
  };
  const program = new Command('listwatch')
    .description('The Kubernetes list-watch system: an API server, and commands that watch and examine any cluster.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print, outputError: () => {} })
    .addHelpText(
      'after',
      '\nTry:\n  $ listwatch serve          # then follow the line that it prints\n  $ listwatch serve --help\n  $ listwatch watch pods -A  # live changes of the cluster of your kubeconfig\n  $ listwatch watch --help\n  $ listwatch console        # the same cluster in a web page\n  $ listwatch relay --kinds pods,nodes  # one cache in front of it, for many readers\n  $ listwatch doctor         # how well do list and watch work here?\n  $ listwatch types crd.yaml # the TypeScript types of a CRD\n  $ listwatch rbac --from rights.json  # the smallest Role for what an operator did\n  $ listwatch user add ann --out ann.kubeconfig  # access for a colleague\n  $ listwatch store check    # is the store on this disk sound?',
    );
  const serve = serveCommand().action((flags: RawOptions) => {
    invocation = { type: 'serve', flags };
  });
  const watch = watchCommand((flags) => {
    invocation = { type: 'watch', flags };
  });
  const console = consoleCommand((flags) => {
    invocation = { type: 'console', flags };
  });
  const relay = relayCommand((flags) => {
    invocation = { type: 'relay', flags };
  });
  const doctor = doctorCommand((flags) => {
    invocation = { type: 'doctor', flags };
  });
  const store = storeCommand((flags) => {
    invocation = { type: 'store check', flags };
  });
  const user = userCommand((flags) => {
    invocation = { type: 'user', flags };
  });
  const types = typesCommand((flags) => {
    invocation = { type: 'types', flags };
  });
  const rbac = rbacCommand((flags) => {
    invocation = { type: 'rbac', flags };
  });
  for (const command of [serve, watch, console, relay, doctor, types, rbac, user, store]) {
    program.addCommand(command.copyInheritedSettings(program));
    for (const inner of command.commands) inner.copyInheritedSettings(program);
  }
  // Without a command, commander prints its help as an error; here it is an answer.
  if (args.length === 0) {
    program.outputHelp();
    return { type: 'print', text: printed };
  }
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'print', text: printed };
    throw new UsageError(oneLine(error.message));
  }
  return invocation ?? { type: 'print', text: printed };
}

function serveCommand(): Command {
  const command = new Command('serve')
    .description('Run the API server.')
    .usage('[options]')
    .allowExcessArguments(false);
  for (const name of SETTING_NAMES) command.addOption(toOption(name, SERVE_OPTIONS[name]));
  return command
    .addOption(new Option('--config <FILE>', 'YAML file with these options, by their names').helpGroup('Output:'))
    .addHelpText('before', SERVE_EXAMPLES)
    .addHelpText('after', SERVE_NOTES);
}

function toOption(name: string, { group, value, short, help, fallback, fallbackText }: OptionSpec<unknown>): Option {
  const flags = `${short === undefined ? '' : `-${short}, `}--${optionName(name)} <${value}>`;
  const text = fallbackText ?? (typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '');
  return new Option(flags, text === '' ? help : `${help} [${text}]`).helpGroup(`${group}:`);
}

/** `error: unknown option '--prot'` and, on a line of its own, `(Did you mean --port?)`. */
function oneLine(message: string): string {
  return message.replace(/^error: /u, '').replaceAll(/\s*\n\s*/gu, ' ');
}
