/** Which rights the controllers use, and which their roles grant. */

import { type ApiObject, parseRequestPath } from '@listwatch/api';
import type { LoopbackServer } from '@listwatch/controllers';
import type { TestEnvironment } from '@listwatch/testing';

/** A request of a controller: who, what, and how it was answered. */
export interface UsedRight {
  readonly user: string;
  readonly isMaster: boolean;
  readonly right: string;
  readonly status: number;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
}

export interface GrantedRole extends ApiObject {
  readonly rules: readonly Rule[];
}

const VERBS: Readonly<Record<string, string>> = { DELETE: 'delete', PATCH: 'patch', POST: 'create', PUT: 'update' };

/** `list pods`, `patch clusterroles.rbac.authorization.k8s.io`, `update namespaces/finalize`; undefined for a path. */
function rightOf(method: string, target: string): string | undefined {
  const url = new URL(target, 'http://x');
  const path = parseRequestPath(url.pathname);
  if (path.type !== 'resource') return undefined;
  const { group, resource: plural, subresource, name } = path;
  const isWatch = url.searchParams.get('watch') !== null;
  const read = name === '' ? (isWatch ? 'watch' : 'list') : 'get';
  const verb = method === 'DELETE' && name === '' ? 'deletecollection' : (VERBS[method] ?? read);
  return `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
}

/** The server, whose requests are noted down. */
export function recorded({ server }: TestEnvironment, requests: UsedRight[]): LoopbackServer {
  return {
    ownedKinds: server.ownedKinds,
    async handle(request, options) {
      const response = await server.handle(request, options);
      const right = rightOf(request.method, request.path);
      const { name: user, groups } = options.user;
      const isMaster = groups.includes('system:masters');
      if (right !== undefined) requests.push({ user, isMaster, right, status: response.status });
      return response;
    },
  };
}

/** The rights of a role, one by one; those with a `*` stand for themselves. */
function rightsOf({ rules }: GrantedRole): readonly string[] {
  return rules.flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((one) => {
        const [plural = '', subresource] = one.split('/');
        const text = `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
        return verbs.map((verb) => `${verb} ${text}`);
      }),
    ),
  );
}

/** What the roles grant and no request has used. */
export function unusedRights(roles: readonly GrantedRole[], used: readonly UsedRight[]): readonly string[] {
  const known = new Set(used.map(({ right }) => right));
  return roles.flatMap(rightsOf).filter((right) => !known.has(right));
}
