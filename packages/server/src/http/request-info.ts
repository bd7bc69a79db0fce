/** What a request is about, read from its method, path and query before anything is decided. */
import {
  checkPathSegment,
  firstValue,
  NAME_FIELD,
  PARAM,
  parseBoolean,
  parseFieldSelector,
  parseQuery,
  parseRequestPath,
  type Query,
  type RequestPath,
  requestVerb,
  SelectorError,
} from '@listwatch/api';
import type { RequestTarget } from './arrival.ts';

/** How a request counts towards the limits. */
export type RequestKind = 'mutating' | 'read' | 'watch';

/** The facts that the steps of the pipeline share. */
export interface RequestInfo {
  readonly method: string;
  /** Percent-encoded as it came. */
  readonly rawPath: string;
  readonly path: RequestPath;
  readonly query: Query;
  /** The verb of the API, or the method in lower case when the path is no resource. */
  readonly verb: string;
  readonly kind: RequestKind;
}

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'head', 'list', 'options', 'watch']);

/** Reads a request. Never throws: what is wrong with the path is said in `path`. */
export function requestInfo(method: string, target: RequestTarget): RequestInfo {
  const path = parseRequestPath(target.path);
  const query = parseQuery(target.query);
  const watch = parseBoolean(firstValue(query, PARAM.watch));
  const word = method.toLowerCase();
  const verb = path.type === 'resource' ? (requestVerb(method, path, watch) ?? word) : word;
  const kind = verb === 'watch' || verb === 'proxy' ? 'watch' : READ_VERBS.has(verb) ? 'read' : 'mutating';
  return { method, rawPath: target.path, path, query, verb, kind };
}

/**
 * The name that a request is about: the path's, or the one that a field selector on a collection pins. Authorization
 * may allow the second where it refuses the whole collection.
 */
export function requestedName({ path, query, verb }: RequestInfo): string {
  if (path.type !== 'resource') return '';
  if (path.name !== '' || !['deletecollection', 'list', 'watch'].includes(verb)) return path.name;
  const selector = firstValue(query, PARAM.fieldSelector);
  if (selector === undefined || selector === '') return '';
  try {
    const pinned = parseFieldSelector(selector).exactTerms.find(({ key }) => key === NAME_FIELD)?.value ?? '';
    return checkPathSegment(pinned).length === 0 ? pinned : '';
  } catch (error) {
    // The verb says what is wrong with the selector; here it only names nothing.
    if (error instanceof SelectorError) return '';
    throw error;
  }
}
