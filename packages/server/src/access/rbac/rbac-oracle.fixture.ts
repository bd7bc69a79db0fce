/** RBAC by the words of its documentation: a walk over all bindings and rules. Shares no code with the index. */

import type { AccessAttributes } from '../../contract/authorization.ts';

type Strings = readonly string[] | undefined;

interface Rule {
  readonly verbs?: Strings;
  readonly apiGroups?: Strings;
  readonly resources?: Strings;
  readonly resourceNames?: Strings;
  readonly nonResourceURLs?: Strings;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A role has rules, a binding the other two. */
export interface OracleObject {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

/** May the user do it, in a cluster with these objects? */
export function oracleAllows(objects: Iterable<OracleObject>, request: AccessAttributes): boolean {
  const all = [...objects];
  for (const { metadata: own, roleRef, subjects = [] } of all) {
    if (roleRef === undefined) continue;
    const where = own.namespace;
    if (where !== undefined && (!request.isResource || where !== request.namespace)) continue;
    if (!subjects.some((subject) => isThem(subject, request, where))) continue;
    const granted = all.find(
      ({ kind, metadata }) =>
        kind === roleRef.kind &&
        metadata.name === roleRef.name &&
        (kind === 'ClusterRole' || metadata.namespace === where),
    );
    if (granted?.rules?.some((rule) => covers(rule, request)) === true) return true;
  }
  return false;
}

function isThem({ kind, name, namespace }: Subject, { user }: AccessAttributes, where: string | undefined): boolean {
  if (kind === 'Group') return user.groups.indexOf(name) >= 0;
  if (kind === 'User') return user.name === name;
  const home = namespace || where;
  return home !== undefined && user.name === ['system', 'serviceaccount', home, name].join(':');
}

function covers(rule: Rule, request: AccessAttributes): boolean {
  if (!among(rule.verbs, request.verb)) return false;
  if (!request.isResource) {
    return (rule.nonResourceURLs ?? []).some((url) => {
      let stem = url;
      while (stem.endsWith('*')) stem = stem.slice(0, -1);
      return stem === url ? url === request.path : request.path.slice(0, stem.length) === stem;
    });
  }
  if (!among(rule.apiGroups, request.group)) return false;
  const isCovered = (rule.resources ?? []).some((pattern) => {
    if (pattern === '*') return true;
    if (request.subresource === '') return pattern === request.resource;
    return pattern === `${request.resource}/${request.subresource}` || pattern === `*/${request.subresource}`;
  });
  const names = rule.resourceNames ?? [];
  return isCovered && (names.length === 0 || names.includes(request.name));
}

function among(list: Strings, value: string): boolean {
  return (list ?? []).some((one) => one === '*' || one === value);
}
