/** The path of a request, parsed: which resource, which object, or which other endpoint of the server. */

/** A path under which objects live. */
export interface ResourceRequestPath {
  readonly type: 'resource';
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** `watch` and `proxy` in front of the resource are old ways to say the verb. */
  readonly prefix: 'proxy' | 'watch' | undefined;
  /** `''` when the path has none. The path of a Namespace object counts as inside it. */
  readonly namespace: string;
  /** Does the resource stand below `namespaces/{namespace}/`? Only namespaced kinds are served there. */
  readonly belowNamespace: boolean;
  readonly resource: string;
  /** `''` for a collection. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** Everything from the resource on, as the path has it; what follows the subresource is found only here. */
  readonly parts: readonly string[];
}

/** A path that tells which groups, versions and resources there are. */
export type DiscoveryRequestPath =
  /** `/api` (core) or `/apis` (groups). */
  | { readonly type: 'discovery'; readonly scope: 'core' | 'groups' }
  /** `/apis/{group}`. */
  | { readonly type: 'discovery'; readonly scope: 'group'; readonly group: string }
  /** `/api/{version}` or `/apis/{group}/{version}`. */
  | { readonly type: 'discovery'; readonly scope: 'version'; readonly group: string; readonly version: string };

/** A path outside the API: `/healthz`, `/version`, `/openapi/v3`, or nothing that exists. */
export interface OtherRequestPath {
  readonly type: 'other';
  /** The segments, percent-decoded. */
  readonly parts: readonly string[];
}

/** A path that cannot be read. */
export interface MalformedRequestPath {
  readonly type: 'malformed';
  readonly message: string;
}

/** What a path can be. */
export type RequestPath = DiscoveryRequestPath | MalformedRequestPath | OtherRequestPath | ResourceRequestPath;

const NAMESPACES = 'namespaces';

/** What may follow `namespaces/{name}/` and is not a resource inside that namespace. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['finalize', 'status']);

/**
 * Reads the path of a URL (still percent-encoded, without its query). Slashes at either end do not count. An escaped
 * slash separates like any other, as it does in Kubernetes. Never throws.
 */
export function parseRequestPath(path: string): RequestPath {
  let decoded: string;
  try {
    // Most paths have nothing to decode, and this is done for every request.
    decoded = path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return { type: 'malformed', message: `invalid URL escape in ${path}` };
  }
  const trimmed = trimSlashes(decoded);
  const parts = trimmed === '' ? [] : trimmed.split('/');
  // Slices and not patterns: this is done for every request, and `[root, ...rest]` costs twice as much (measured).
  if (parts[0] === 'api') return parseCore(parts, decoded);
  if (parts[0] === 'apis') return parseGroups(parts, decoded);
  return { type: 'other', parts };
}

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

function parseCore(parts: readonly string[], path: string): RequestPath {
  const version = parts[1];
  if (version === undefined) return { type: 'discovery', scope: 'core' };
  if (parts.length === 2) return { type: 'discovery', scope: 'version', group: '', version };
  return parseResource('', version, parts.slice(2), path);
}

function parseGroups(parts: readonly string[], path: string): RequestPath {
  const group = parts[1];
  const version = parts[2];
  if (group === undefined) return { type: 'discovery', scope: 'groups' };
  if (version === undefined) return { type: 'discovery', scope: 'group', group };
  if (parts.length === 3) return { type: 'discovery', scope: 'version', group, version };
  return parseResource(group, version, parts.slice(3), path);
}

function parseResource(group: string, version: string, segments: readonly string[], path: string): RequestPath {
  const prefix = segments[0] === 'watch' || segments[0] === 'proxy' ? segments[0] : undefined;
  const scoped = prefix === undefined ? segments : segments.slice(1);
  if (scoped.length === 0) {
    return { type: 'malformed', message: `unable to determine kind and namespace from url, ${path}` };
  }
  const namespace = scoped[0] === NAMESPACES ? (scoped[1] ?? '') : '';
  const inside = scoped[0] === NAMESPACES && scoped.length > 2 && !NAMESPACE_SUBRESOURCES.has(scoped[2] ?? '');
  const parts = inside ? scoped.slice(2) : scoped;
  return {
    type: 'resource',
    group,
    version,
    prefix,
    namespace,
    belowNamespace: inside,
    resource: parts[0] ?? '',
    name: parts[1] ?? '',
    // All that follows the name in a proxy path belongs to the proxied server.
    subresource: prefix === 'proxy' ? '' : (parts[2] ?? ''),
    parts,
  };
}
