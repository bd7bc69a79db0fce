/** `url`, `isURL` and the parts of a URL. */

import { type GoUrl, parseRequestUrl, requestUrlProblem } from '../parsing/go-url.ts';
import { UrlProblem } from '../parsing/url-escape.ts';
import type { CallContext, CelLibrary } from '../standard/cel-library.ts';
import { BOOL, type CelType, listType, mapType, opaqueType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap, type MapKey } from '../values/cel-map.ts';
import type { CelOpaque, CelResult, CelValue } from '../values/cel-value.ts';
import { functions, method, plainOverload } from './declare.ts';
import { NOMINAL, textCost, textEstimate } from './library-cost.ts';

/** The type of URLs. */
export const URL_TYPE: CelType = opaqueType('kubernetes.URL', [], (size) => size ?? 1);

type Part = 'escapedPath' | 'host' | 'hostname' | 'port' | 'query' | 'scheme' | 'text';

/** How the parts of a URL are read. */
const PARTS: Readonly<Record<Part, (url: GoUrl) => CelValue>> = {
  scheme: ({ scheme }) => scheme,
  host: ({ host }) => host,
  hostname: ({ hostname }) => hostname,
  port: ({ port }) => port,
  escapedPath: ({ escapedPath }) => escapedPath,
  query: queryOf,
  text: (url) => url.toString(),
};

/** A URL. */
export class UrlValue implements CelOpaque {
  readonly opaqueType: CelType = URL_TYPE;
  readonly #url: GoUrl;
  readonly #parts = new Map<Part, CelValue>();

  constructor(url: GoUrl) {
    this.#url = url;
  }

  /** A part, read once: an expression may ask a thousand times, for nearly nothing, and a query may have 10 000 values. */
  part(name: Part): CelValue {
    const part = this.#parts.get(name) ?? PARTS[name](this.#url);
    this.#parts.set(name, part);
    return part;
  }

  equals(other: CelValue): boolean {
    return other instanceof UrlValue && this.part('text') === other.part('text');
  }
}

/** The library of URLs. */
export const urlLibrary: CelLibrary = {
  name: 'kubernetes.urls',
  functions: functions({
    url: [
      plainOverload('string_to_url', [STRING], URL_TYPE, toUrl, {
        cost: textCost(0),
        estimate: textEstimate('argument', 1, true),
      }),
    ],
    isURL: [plainOverload('is_url_string', [STRING], BOOL, isUrl)],
    getScheme: [method('url_get_scheme', [URL_TYPE], STRING, (url: UrlValue) => url.part('scheme'), NOMINAL)],
    getHost: [method('url_get_host', [URL_TYPE], STRING, (url: UrlValue) => url.part('host'), NOMINAL)],
    getHostname: [method('url_get_hostname', [URL_TYPE], STRING, (url: UrlValue) => url.part('hostname'), NOMINAL)],
    getPort: [method('url_get_port', [URL_TYPE], STRING, (url: UrlValue) => url.part('port'), NOMINAL)],
    getEscapedPath: [
      method('url_get_escaped_path', [URL_TYPE], STRING, (url: UrlValue) => url.part('escapedPath'), NOMINAL),
    ],
    getQuery: [
      method(
        'url_get_query',
        [URL_TYPE],
        mapType(STRING, listType(STRING)),
        (url: UrlValue) => url.part('query'),
        NOMINAL,
      ),
    ],
  }),
};

/** Its cost is always 1: the length of the text is counted as work. */
function isUrl(text: string, context: CallContext): CelResult {
  context.work(text.length);
  return requestUrlProblem(text) === undefined;
}

function toUrl(text: string, context: CallContext): CelResult {
  context.work(text.length);
  const url = parseRequestUrl(text);
  if (url instanceof UrlProblem) return new CelError(`URL parse error during conversion from string: ${url.message}`);
  return new UrlValue(url);
}

function queryOf({ query }: GoUrl): CelMap {
  const entries = new Map<MapKey, readonly [CelValue, CelValue]>();
  for (const [key, values] of query) entries.set(key, [key, CelList.of(values)]);
  return CelMap.of(entries);
}
