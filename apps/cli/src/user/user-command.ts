/** `listwatch user ...` as the command line knows it. */

import { Command, Option } from 'commander';

/** What was typed. */
export type UserFlags =
  | ({ readonly action: 'add'; readonly name: string } & AddUserFlags)
  | { readonly action: 'list'; readonly data?: string | undefined }
  | ({ readonly action: 'revoke'; readonly name: string } & RevokeUserFlags);

/** The options of `user add`. */
export interface AddUserFlags {
  readonly group?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly token?: boolean | undefined;
  readonly hours?: string | undefined;
  readonly data?: string | undefined;
}

/** The options of `user revoke`. */
export interface RevokeUserFlags {
  readonly id?: string | undefined;
  readonly data?: string | undefined;
}

const ADD_EXAMPLES = `Examples:
  $ listwatch user add ann --group developers --out ann.kubeconfig   # a certificate for 30 days
  $ listwatch user add ci --token --hours 12 --out ci.kubeconfig     # a token for 12 hours
  $ kubectl create rolebinding ann-edits --clusterrole edit --group developers -n team   # what they may do
`;

const ADD_NOTES = `
Writes a kubeconfig with the credential in it, readable by you only. It is shown nowhere else and cannot be shown again: hand
the file over by a way that others cannot read. Run it where the server runs: it needs the data folder, and the server
must be running.

Without --token the credential is a certificate. A token can be revoked at once on every server of the store; so can a
certificate, but only on servers of listwatch: others that trust the authority (pki/ca.crt) accept it until it expires.

A new user may do nothing but ask what it may do. Rights come from RoleBindings and ClusterRoleBindings.`;

const REVOKE_NOTES = `
Requests with a revoked credential get 401 from now on. A watch that is open goes on until it ends, as in Kubernetes: 30
minutes to an hour, or what the client asked for. Rights are not revoked: delete the bindings of the user too.`;

/** The command; calls `run` with what was typed. */
export function userCommand(run: (flags: UserFlags) => void): Command {
  const add = new Command('add')
    .description('Give a colleague a kubeconfig: a certificate or a token.')
    .argument('<NAME>', 'name of the user')
    .allowExcessArguments(false)
    .addOption(new Option('--group <NAME...>', 'groups of the user'))
    .addOption(
      new Option('--out <FILE>', 'the kubeconfig to write; it must not exist; - for stdout').makeOptionMandatory(),
    )
    .addOption(new Option('--token', 'a token [a certificate]'))
    .addOption(new Option('--hours <N>', 'how long it is valid, at most 8760 [720, which is 30 days]'))
    .addOption(dataOption())
    .addHelpText('before', ADD_EXAMPLES)
    .addHelpText('after', ADD_NOTES)
    .action((name: string, flags: AddUserFlags) => run({ action: 'add', name, ...flags }));
  const list = new Command('list')
    .description('List the credentials that were given, with their users.')
    .allowExcessArguments(false)
    .addOption(dataOption())
    .action((flags: RevokeUserFlags) => run({ action: 'list', ...flags }));
  const revoke = new Command('revoke')
    .description('Refuse the credentials of a user from now on.')
    .argument('<NAME>', 'name of the user')
    .allowExcessArguments(false)
    .addOption(new Option('--id <ID>', 'only this credential, by its id in the list [all]'))
    .addOption(dataOption())
    .addHelpText('after', REVOKE_NOTES)
    .action((name: string, flags: RevokeUserFlags) => run({ action: 'revoke', name, ...flags }));
  return new Command('user')
    .description('Give people access to a server of listwatch serve, and take it away.')
    .addCommand(add)
    .addCommand(list)
    .addCommand(revoke);
}

function dataOption(): Option {
  return new Option('--data <DIR>', 'data folder of the server [./.listwatch]');
}
