/** What a policy decides on. */

import type { UserInfo } from '../../contract/api-request.ts';
import type { Route } from '../../contract/route.ts';

/** A request as the rules of a policy see it. */
export interface AuditedRequest {
  /** Undefined when it could not be authenticated. */
  readonly user: UserInfo | undefined;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Percent-decoded where it can be. */
  readonly path: string;
}

/** The request of a route. */
export function auditedRequest({ path, rawPath, verb, name }: Route, user: UserInfo | undefined): AuditedRequest {
  if (path.type !== 'resource') {
    const none = { group: '', resource: '', subresource: '', namespace: '', name: '' };
    return { user, verb, isResource: false, ...none, path: decoded(rawPath) };
  }
  const { group, resource, subresource, namespace } = path;
  return { user, verb, isResource: true, group, resource, subresource, namespace, name, path: '' };
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
