/** A compact notation for the default roles: words in strings, because there are about a thousand. */

import type { JsonRecord } from '@listwatch/api/values';

/** A role that every cluster has. */
export interface DefaultRole {
  readonly name: string;
  /** Absent: a ClusterRole. */
  readonly namespace?: string;
  /** The ClusterRole into which the rules of this role are aggregated. */
  readonly partOf?: string;
  /** The name in the aggregation label whose roles this role aggregates. It has no rules of its own. */
  readonly unites?: string;
  readonly rules?: readonly JsonRecord[];
}

/** A binding of a default role. */
export interface DefaultBinding {
  readonly name: string;
  /** Absent: a ClusterRoleBinding. */
  readonly namespace?: string;
  /** Default: the role of the same name. */
  readonly role?: string;
  readonly subjects: readonly JsonRecord[];
}

/** A rule about resources; the group `''` is written as `core`. */
export function rule(verbs: string, groups: string, resources: string, names?: string): JsonRecord {
  return {
    verbs: verbs.split(' '),
    apiGroups: groups.split(' ').map((name) => (name === 'core' ? '' : name)),
    resources: resources.split(' '),
    ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
  };
}

/** A rule about paths. */
export function paths(verbs: string, urls: string): JsonRecord {
  return { verbs: verbs.split(' '), nonResourceURLs: urls.split(' ') };
}

const GROUP = 'rbac.authorization.k8s.io';

/** A service account of kube-system. */
export function account(name: string): JsonRecord {
  return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
}

/** A user, such as a part of Kubernetes with a certificate. */
export function userSubject(name: string): JsonRecord {
  return { kind: 'User', apiGroup: GROUP, name };
}

/** A group. */
export function group(name: string): JsonRecord {
  return { kind: 'Group', apiGroup: GROUP, name };
}
