/** Impersonation: a user acts as another one, if authorization allows it. As kube-apiserver 1.36, with its modes. */

import { accessDenied, checkDnsLabel, checkDnsSubdomain, isForbidden, quote } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { AccessAttributes } from '../contract/authorization.ts';
import { SYSTEM } from './authenticator.ts';
import type { WantedUser } from './impersonation-headers.ts';

/** One way to be allowed: the rights that it needs, and the users that it is for. */
export interface ImpersonationMode {
  /** In the verbs `impersonate:{name}` and `impersonate-on:{name}:{verb}`; undefined for the plain `impersonate`. */
  readonly name: string | undefined;
  readonly applies: (wanted: WantedUser, requestor: UserInfo) => boolean;
}

const NODE_PREFIX = 'system:node:';
const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';
const NODE_NAME_KEY = 'authentication.kubernetes.io/node-name';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';
const ASSOCIATED_NODE = 'associated-node';

/** In the order in which they are tried. */
export const IMPERSONATION_MODES: readonly ImpersonationMode[] = [
  { name: ASSOCIATED_NODE, applies: isAssociatedNode },
  { name: 'arbitrary-node', applies: (wanted) => hasOnlyName(wanted) && nodeName(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => hasOnlyName(wanted) && serviceAccount(wanted.name) !== undefined },
  {
    name: 'user-info',
    applies: ({ name }) => nodeName(name) === undefined && serviceAccount(name) === undefined,
  },
  { name: undefined, applies: () => true },
];

/** Asks for one right: throws the 403 `StatusError` unless it is there. */
export type RequireRight = (attributes: AccessAttributes) => Promise<void>;

/**
 * The user that `request.user` may act as by one mode. `request` is what it wants to do as that user. Throws the 403
 * `StatusError` when authorization refuses any part of it.
 */
export async function impersonateBy(
  { name: mode }: ImpersonationMode,
  requireRight: RequireRight,
  request: AccessAttributes,
  wanted: WantedUser,
): Promise<UserInfo> {
  const user = mode === ASSOCIATED_NODE ? withoutNode(request.user) : request.user;
  if (mode !== undefined) {
    // A spread copies no accessors of a class: the selectors would be lost, and who may only list selected objects would be refused.
    const { fieldSelector, labelSelector } = request;
    const verb = `impersonate-on:${mode}:${request.verb}`;
    await requireRight({ ...request, fieldSelector, labelSelector, user, verb });
  }
  const verb = mode === undefined ? 'impersonate' : `impersonate:${mode}`;
  const common = { ...NO_RESOURCE, user, verb, path: request.path };
  for (const same of groupedParts(mode, wanted)) {
    const problem = mode === undefined ? undefined : problemOf(same);
    if (problem !== undefined) throw refused({ ...common, ...problem.part }, problem.why);
    await requireAll(same, (part) => requireRight({ ...common, ...part }));
  }
  return {
    name: wanted.name,
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
    groups: groupsOf(mode, wanted),
    ...(wanted.extra.size === 0 ? {} : { extra: Object.fromEntries(wanted.extra) }),
  };
}

type Part = Pick<AccessAttributes, 'group' | 'name' | 'resource'> &
  Partial<Pick<AccessAttributes, 'namespace' | 'subresource'>>;

const NO_RESOURCE = { isResource: true, version: 'v1', subresource: '', namespace: '' } as const;

/** Each part of the wanted user, as the resource on which the right is needed. */
function* parts(mode: string | undefined, { name, uid, groups, extra }: WantedUser): Generator<Part> {
  const group = mode === undefined ? '' : AUTHENTICATION_GROUP;
  const account = serviceAccount(name);
  const node = mode === undefined ? undefined : nodeName(name);
  if (account !== undefined) yield { group, resource: 'serviceaccounts', ...account };
  // The mode for a user's own node does not depend on which one that is.
  else if (node !== undefined) yield { group, resource: 'nodes', name: mode === ASSOCIATED_NODE ? '*' : node };
  else yield { group, resource: 'users', name };
  if (uid !== '') yield { group: AUTHENTICATION_GROUP, resource: 'uids', name: uid };
  for (const one of groups) yield { group, resource: 'groups', name: one };
  for (const [key, values] of extra) {
    for (const value of values) {
      yield { group: AUTHENTICATION_GROUP, resource: 'userextras', subresource: key, name: value };
    }
  }
}

/** Parts that one right on `*` could cover: the groups, or all extras. */
function groupedParts(mode: string | undefined, wanted: WantedUser): Iterable<readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts(mode, wanted)) {
    // The plain mode asks for each: a right on `*` is no right on all.
    const key = mode === undefined ? String(groups.size) : part.resource;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [part]);
    else known.push(part);
  }
  return groups.values();
}

/** From this many on, the right to all of them is asked for first. */
const MANY = 4;

async function requireAll(same: readonly Part[], requirePart: (part: Part) => Promise<void>): Promise<void> {
  const [first] = same;
  if (first !== undefined && same.length >= MANY) {
    const all = { ...first, name: '*', ...(first.subresource === undefined ? {} : { subresource: '*' }) };
    if (await isAllowed(() => requirePart(all))) return;
  }
  for (const part of same) await requirePart(part);
}

async function isAllowed(require: () => Promise<void>): Promise<boolean> {
  try {
    await require();
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** What no right allows, except for the plain `impersonate`, and what the answer names. */
interface PartProblem {
  readonly part: Part;
  readonly why: string;
}

/** The first problem of parts of one resource: all are looked at before a right is asked for. */
function problemOf(same: readonly Part[]): PartProblem | undefined {
  const [part] = same;
  if (part?.resource === 'groups') return groupProblemOf(part, same);
  if (part?.resource !== 'userextras') return undefined;
  for (const { subresource: key = '', name } of same) {
    const why =
      keyProblemOf(key) ?? (name === '' ? 'impersonating the empty string value in extra is not allowed' : undefined);
    // A key that no rule can name is not shown as a part of the resource.
    if (why !== undefined) return { part: { ...part, subresource: '', name: '' }, why };
  }
  return undefined;
}

function groupProblemOf(part: Part, same: readonly Part[]): PartProblem | undefined {
  for (const [group, text] of [
    ['', 'the empty string'],
    [SYSTEM.masters, `the ${SYSTEM.masters}`],
  ] as const) {
    const why = `impersonating ${text} group is not allowed`;
    if (same.some(({ name }) => name === group)) return { part: { ...part, name: group }, why };
  }
  return undefined;
}

/** What is wrong with the key of an extra. */
function keyProblemOf(key: string): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  if (!isDomainPrefixedPath(key)) {
    const rule = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${quote(key)}: ${rule}`;
  }
  return key === key.toLowerCase()
    ? undefined
    : `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
}

function isDomainPrefixedPath(key: string): boolean {
  const slash = key.indexOf('/');
  return (
    slash > 0 &&
    checkDnsSubdomain(key.slice(0, slash)).length === 0 &&
    /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/u.test(key.slice(slash + 1))
  );
}

function groupsOf(mode: string | undefined, { name, groups }: WantedUser): readonly string[] {
  const given = groups.length > 0 ? groups : ownGroups(mode, name);
  if (name === SYSTEM.anonymous) return withGroup(given, SYSTEM.unauthenticated);
  return given.includes(SYSTEM.unauthenticated) ? given : withGroup(given, SYSTEM.authenticated);
}

/** The groups that a node or a service account always has. */
function ownGroups(mode: string | undefined, name: string): readonly string[] {
  const account = serviceAccount(name);
  if (account !== undefined) return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  return mode !== undefined && nodeName(name) !== undefined ? ['system:nodes'] : [];
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

function serviceAccount(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(SERVICE_ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = user.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
  const isValid = more.length === 0 && checkDnsLabel(namespace).length === 0 && checkDnsSubdomain(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

function nodeName(user: string): string | undefined {
  const name = user.startsWith(NODE_PREFIX) ? user.slice(NODE_PREFIX.length) : '';
  return name !== '' && checkDnsSubdomain(name).length === 0 ? name : undefined;
}

function hasOnlyName({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** Is the requestor a service account whose pod runs on the wanted node? */
function isAssociatedNode(wanted: WantedUser, requestor: UserInfo): boolean {
  const node = nodeName(wanted.name);
  if (node === undefined || !hasOnlyName(wanted) || serviceAccount(requestor.name) === undefined) return false;
  const [name, ...more] = requestor.extra?.[NODE_NAME_KEY] ?? [];
  return name === node && more.length === 0;
}

/** The requestor as the same on every node: of its extras only the names are left. */
function withoutNode(user: UserInfo): UserInfo {
  const keys = Object.keys(user.extra ?? {}).toSorted();
  return { ...user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } };
}

function refused({ user, verb, group, resource, subresource, namespace, name }: AccessAttributes, why: string): Error {
  const attempt = { user: user.name, verb, resource: { group, plural: resource }, subresource, namespace, name };
  return accessDenied(attempt, why);
}
