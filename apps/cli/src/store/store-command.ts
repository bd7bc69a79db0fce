/** `listwatch store ...` as the command line knows it. */

import { Command, Option } from 'commander';

/** What was typed. */
export interface StoreCheckFlags {
  readonly data?: string | undefined;
}

const CHECK_EXAMPLES = `Examples:
  $ listwatch store check                             # the store in ./.listwatch
  $ listwatch store check --data /var/lib/listwatch   # that of another data folder
  $ listwatch store check --data backup/store         # a copy of the store's own folder
`;

const CHECK_NOTES = `
Stop the server first: a store that is in use is not checked. The check reads every page and every record, and writes
nothing. It prints one line for each fault: a page or record that cannot be decoded, a table that does not match the
others, a value that is not a JSON object.

What to do about faults: stop the server, move the folder of the store away, put a backup in its place, and check that.
Without a backup, a server that still starts can be asked for its objects (kubectl get -A -o yaml) before you move on.
A server on etcd has no such store; etcd checks its own (etcd --experimental-initial-corrupt-check).

Exit codes: 0 the store is sound, 1 it could not be checked (in use, missing, not a store), 2 a wrong option, 3 the
store is damaged.`;

/** The command; calls `onCheck` when it is asked for. */
export function storeCommand(onCheck: (flags: StoreCheckFlags) => void): Command {
  const check = new Command('check')
    .description('Read the whole store and report what is damaged.')
    .usage('[options]')
    .allowExcessArguments(false)
    .addOption(new Option('--data <DIR>', 'data folder of the server, or a copy of its store [./.listwatch]'))
    .addHelpText('before', CHECK_EXAMPLES)
    .addHelpText('after', CHECK_NOTES)
    .action(onCheck);
  return new Command('store').description('Look after the store of a server that does not run.').addCommand(check);
}
