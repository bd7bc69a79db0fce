/** Parses the method, path and query of a request. */
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
import type { RequestKind, Route } from '../contract/route.ts';
import type { RequestTarget } from './request-target.ts';
import { wantsPretty } from './wants-pretty.ts';

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'head', 'list', 'options']);

/** Parses a request. Never throws: `path` says what is wrong with the path. */
export function parseRoute(method: string, target: RequestTarget, userAgent?: string): Route {
  const path = parseRequestPath(target.path);
  const query = parseQuery(target.query);
  const verb = verbOf(method, path, query);
  return {
    method,
    rawPath: target.path,
    path,
    query,
    verb,
    kind: isDebugStream(path, query) ? 'watch' : kindOf(verb),
    name: nameOf(verb, path, query),
    pretty: wantsPretty(query, userAgent),
  };
}

function verbOf(method: string, path: RequestPath, query: Query): string {
  if (path.type !== 'resource') return method.toLowerCase();
  return requestVerb(method, path, parseBoolean(firstValue(query, PARAM.watch))) ?? '';
}

function kindOf(verb: string): RequestKind {
  if (verb === 'watch' || verb === 'proxy') return 'watch';
  return READ_VERBS.has(verb) ? 'read' : 'mutating';
}

/** `/debug/overview?watch=true`: it lasts, and must not use up the limit of reads. */
function isDebugStream(path: RequestPath, query: Query): boolean {
  return path.type === 'other' && path.parts[0] === 'debug' && parseBoolean(firstValue(query, PARAM.watch));
}

/** As in Kubernetes, neither the old /watch/ paths nor a deletecollection take the name from the field selector. */
function nameOf(verb: string, path: RequestPath, query: Query): string {
  if (path.type !== 'resource') return '';
  if (path.name !== '' || path.prefix !== undefined || (verb !== 'list' && verb !== 'watch')) return path.name;
  const selector = firstValue(query, PARAM.fieldSelector);
  return selector === undefined || selector === '' ? '' : nameInSelector(selector);
}

function nameInSelector(selector: string): string {
  try {
    const name = parseFieldSelector(selector).exactTerms.find(({ key }) => key === NAME_FIELD)?.value ?? '';
    return checkPathSegment(name).length === 0 ? name : '';
  } catch (error) {
    // The verb reports a broken selector; authorization sees a request without a name.
    if (error instanceof SelectorError) return '';
    throw error;
  }
}
