/** Authorization of a request. */
import { accessDenied } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { AccessAttributes, AccessDecision, Authorizer } from '../contract/authorization.ts';
import type { Route } from '../contract/route.ts';
import { SYSTEM } from './authenticator.ts';

const ALLOWED: AccessDecision = { allowed: true };
const REFUSED: AccessDecision = { allowed: false };

/** Paths that anybody may read. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** Allows everything to `system:masters`; everybody else may only read health and version. */
export function mastersAuthorizer(): Authorizer {
  return {
    authorize({ user, verb, isResource, path }) {
      if (user.groups.includes(SYSTEM.masters)) return ALLOWED;
      const isPublic = !isResource && (verb === 'get' || verb === 'head') && PUBLIC_PATHS.has(path);
      return isPublic ? ALLOWED : REFUSED;
    },
  };
}

/** The attributes of a request. */
export function accessAttributes({ path, rawPath, verb, name }: Route, user: UserInfo): AccessAttributes {
  const decoded = decode(rawPath);
  if (path.type !== 'resource') {
    const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
    return { user, verb, isResource: false, ...none, path: decoded };
  }
  const { group, version, resource, subresource, namespace } = path;
  return { user, verb, isResource: true, group, version, resource, subresource, namespace, name, path: decoded };
}

/** Throws the 403 `StatusError` unless the authorizer allows it. */
export async function authorize(authorizer: Authorizer, attributes: AccessAttributes): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  if (decision.allowed) return;
  const { user, verb, isResource, group, resource, subresource, namespace, name, path } = attributes;
  const target = isResource ? { resource: { group, plural: resource }, subresource, namespace, name } : { path };
  throw accessDenied({ user: user.name, verb, ...target }, decision.reason);
}

function decode(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
