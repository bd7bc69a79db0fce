/** The users that a test can be. */

import type { UserInfo } from '@listwatch/server';

/**
 * A user's name as `kubectl --as` takes it (`ann`, `system:serviceaccount:shop:robot`), or a ServiceAccount, such as the one
 * in the manifests that you ship.
 */
export type TestUser = string | TestServiceAccount;

/** A ServiceAccount. Without a namespace it is in `default`. */
export interface TestServiceAccount {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/u;

/** Who the server would say it is: a service account is in its three groups, and everybody in `system:authenticated`. */
export function testUserInfo(user: TestUser, groups: readonly string[] = []): UserInfo {
  const name = typeof user === 'string' ? user : accountName(user);
  if (name === '') throw new TypeError('a user must have a name');
  const [, namespace] = SERVICE_ACCOUNT.exec(name) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name, groups: [...new Set([...groups, ...own, 'system:authenticated'])] };
}

function accountName({ metadata: { name, namespace = 'default' } }: TestServiceAccount): string {
  return `system:serviceaccount:${namespace}:${name}`;
}
