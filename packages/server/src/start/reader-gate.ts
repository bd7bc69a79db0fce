/** What a reader process answers itself: its health, and reads of objects that are in its caches. The primary answers all else. */

import type { RequestGate } from '../contract/request-gate.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { HEALTH_ENDPOINTS } from '../route/health.ts';

export interface ReaderGateParts {
  readonly find: (group: string, version: string, plural: string) => ResourceDefinition | undefined;
  /** Does a backend of an APIService serve this version? */
  readonly isRemote: (group: string, version: string) => boolean;
  readonly pass: RequestGate['pass'];
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Makes the gate of a reader. In doubt it passes a request on. */
export function readerGate({ find, isRemote, pass }: ReaderGateParts): RequestGate {
  const health: ReadonlySet<string> = new Set(HEALTH_ENDPOINTS);
  return {
    pass,
    passes(_incoming, { path, verb, method }) {
      if (path.type === 'other' && health.has(path.parts[0] ?? '')) return undefined;
      if (path.type !== 'resource') return 'not a resource';
      if (!READS.has(verb) || (method !== 'GET' && method !== 'HEAD')) return 'not a read';
      if (path.subresource !== '' || path.prefix === 'proxy') return 'subresource';
      if (isRemote(path.group, path.version)) return 'aggregated';
      // The primary knows a new kind first.
      return find(path.group, path.version, path.resource) === undefined ? 'unknown kind' : undefined;
    },
  };
}
