/** What a request to the door asks for, by its method and target alone. */

/** What is served. `forwarded`: the API answers. */
export type DoorRoute =
  | { readonly type: 'asset'; readonly path: string }
  | { readonly type: 'forwarded'; readonly path: string }
  | { readonly type: 'login'; readonly code: string }
  | { readonly type: 'logout' }
  | { readonly type: 'malformed' }
  | { readonly type: 'root' }
  | { readonly type: 'session' }
  | { readonly type: 'unknown' }
  /** Runs something in a container, passes through to a workload, or gives out a token. The page does none of it. */
  | { readonly type: 'withheld' };

const API = /^\/(?:apis?|openapi)(?:\/|$)|^\/(?:version|readyz|debug\/(?:audit|overview|history))$/u;

/** Of `/api/v1/namespaces/N/pods/P/exec`. `proxy` also stands before a resource, in old paths; the last four are KubeVirt's. */
const WITHHELD: ReadonlySet<string> = new Set(
  'attach exec portforward proxy token console usbredir vnc vsock'.split(' '),
);

/**
 * Parses the target as it was sent and changes nothing in it: what is checked here is what the API sees. So a path that
 * a later reader could take for another one is refused: `..`, `//`, a backslash, an encoded slash or dot, another host.
 */
export function doorRoute(target: string): DoorRoute {
  if (!/^\/[\x21-\x7e]*$/u.test(target)) return { type: 'malformed' };
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const decoded = isAmbiguous(path) ? undefined : decode(path);
  if (decoded === undefined) return { type: 'malformed' };
  const query = at < 0 ? '' : target.slice(at + 1);
  if (path === '/' || path === '/console') return { type: 'root' };
  if (path === '/console/login') return { type: 'login', code: new URLSearchParams(query).get('code') ?? '' };
  if (path === '/console/logout') return { type: 'logout' };
  if (path === '/console/session') return { type: 'session' };
  if (path.startsWith('/console/')) return { type: 'asset', path };
  if (!API.test(path)) return { type: 'unknown' };
  return isWithheld(decoded) ? { type: 'withheld' } : { type: 'forwarded', path: target };
}

function isAmbiguous(path: string): boolean {
  return /[\\#]|\/\/|%(?:2e|2f|5c|25|[01]|7f)|%(?![\da-f]{2})/iu.test(path) || /(?:^|\/)\.{1,2}(?:\/|$)/u.test(path);
}

/** A name may be `proxy`: only the place of a subresource counts, and that of the old prefix. */
function isWithheld(path: string): boolean {
  const parts = path.split('/').slice(1);
  const inVersion = parts[0] === 'api' ? parts.slice(2) : parts.slice(3);
  if (parts[0] === 'openapi' || inVersion.length === 0) return false;
  if (inVersion[0] === 'proxy') return true;
  const isNamespaced = inVersion[0] === 'namespaces' && inVersion.length > 3;
  return WITHHELD.has(inVersion[isNamespaced ? 4 : 2] ?? '');
}

/** Undefined for bytes that are no text. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
