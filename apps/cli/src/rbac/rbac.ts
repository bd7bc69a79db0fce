/** `listwatch rbac`: prints the smallest roles for what a program did. */

import { type SmallestRole, smallestRoles } from '@listwatch/runtime/manager';
import { dump } from 'js-yaml';
import type { Host } from '../host.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import type { RbacFlags } from './rbac-flags.ts';
import { readRights } from './read-rights.ts';
import { parseServiceAccount, type ServiceAccountName } from './service-account-name.ts';

/** A name that a role may have, and that is safe in YAML. */
const NAME = /^[a-z0-9](?:[-.:a-z0-9]{0,251}[a-z0-9])?$/u;

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` for what cannot be read. */
export async function rbac(flags: RbacFlags, host: Host): Promise<number> {
  const { from = [], name = 'operator' } = flags;
  if (from.length === 0) throw new UsageError('rbac needs --from FILE: what a manager recorded with recordRights');
  if (!NAME.test(name)) throw new UsageError(`--name must be a name such as operator, got ${JSON.stringify(name)}`);
  const account = flags.serviceAccount === undefined ? undefined : parseServiceAccount(flags.serviceAccount);
  const roles = smallestRoles(readRights(from, host.folder), { name });
  if (roles.length === 0) throw new StartError('no right was used: there is no role to print');
  const objects = roles.flatMap((role) => (account === undefined ? [role] : [role, bindingOf(role, account)]));
  host.stdout.write(objects.map((object) => dump(object, { lineWidth: -1 })).join('---\n'));
  await host.stdout.drained();
  return 0;
}

function bindingOf({ apiVersion, kind, metadata }: SmallestRole, account: ServiceAccountName): object {
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  };
}
