/** What a request asks for, as far as faults care. */

import {
  type ContinueToken,
  decodeContinueToken,
  encodeContinueToken,
  firstValue,
  PARAM,
  parseBoolean,
  parseQuery,
  parseRequestPath,
  type Query,
  requestVerb,
} from '@listwatch/api';
import type { TransportRequest } from '@listwatch/client';

/** Is this a watch? */
export function asksForWatch({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean {
  const parsed = parseRequestPath(pathOf(path));
  if (parsed.type !== 'resource') return false;
  return requestVerb(method, parsed, parseBoolean(firstValue(queryOf(path), PARAM.watch))) === 'watch';
}

/** The token with which the list of a continued page can go on at the latest version; undefined when it is no such page. */
export function freshToken({ path }: Pick<TransportRequest, 'path'>): string | undefined {
  const token = tokenOf(queryOf(path));
  return token === undefined ? undefined : encodeContinueToken({ revision: undefined, start: token.start });
}

/** The state of the past that a read asks for; undefined when it asks for the present, or is no read. */
export function pastOf({ method, path }: Pick<TransportRequest, 'method' | 'path'>): bigint | undefined {
  if (method !== 'GET') return undefined;
  const query = queryOf(path);
  const token = tokenOf(query);
  if (token !== undefined) return token.revision;
  const isPast = asksForWatch({ method, path }) || firstValue(query, PARAM.resourceVersionMatch) === 'Exact';
  const version = firstValue(query, PARAM.resourceVersion) ?? '';
  return isPast && /^[1-9]\d*$/u.test(version) ? BigInt(version) : undefined;
}

function tokenOf(query: Query): ContinueToken | undefined {
  const text = firstValue(query, PARAM.continue) ?? '';
  try {
    return text === '' ? undefined : decodeContinueToken(text);
  } catch {
    // The server says what is wrong with it.
    return undefined;
  }
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

function queryOf(target: string): Query {
  const mark = target.indexOf('?');
  return parseQuery(mark < 0 ? '' : target.slice(mark + 1));
}
