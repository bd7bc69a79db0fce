/** What a request is about, read from its method, path and query before anything is decided. */
import { firstValue, PARAM, parseBoolean, parseQuery, parseRequestPath, requestVerb } from '@listwatch/api';
import type { RequestInfo } from '../contract/request-info.ts';
import type { RequestTarget } from './request-target.ts';

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
