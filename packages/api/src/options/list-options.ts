/** The options of LIST, WATCH and deletecollection: what a client sends and what a server reads. */

import { firstValue, parseBoolean, parseQuery } from '../paths/query.ts';
import { PARAM } from '../paths/wire-names.ts';
import { type FieldSelector, parseFieldSelector } from '../selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../selectors/label-selector.ts';
import { SelectorError } from '../selectors/selector-error.ts';
import { badRequest } from '../status/failures.ts';
import { IntegerError, parseInt64 } from '../versions/integer.ts';

/** How `resourceVersion` binds: exactly that version, or that one or any later. */
export type ResourceVersionMatch = 'Exact' | 'NotOlderThan';

/** What a client asks for. An absent option is not sent. */
export interface ListOptions {
  readonly labelSelector?: LabelSelector | string | undefined;
  readonly fieldSelector?: FieldSelector | string | undefined;
  /** Watch instead of list. */
  readonly watch?: boolean | undefined;
  /** May the server send bookmarks? A watch without them cannot resume far. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begin a watch with the current objects. Needs `resourceVersionMatch: 'NotOlderThan'`. */
  readonly sendInitialEvents?: boolean | undefined;
  /** `''`: the most recent; `'0'`: whatever is cached; a version: see `resourceVersionMatch`. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** The most that one page may hold; 0 and less is no limit. */
  readonly limit?: number | undefined;
  /** The token of the page before. */
  readonly continue?: string | undefined;
  /** When the server ends a watch, in seconds; 0 leaves it to the server. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * For a watch with bookmarks: send one at once, and again as soon as a list without a version has shown how far the watch has come. Servers
   * of listwatch do it, others ignore it.
   */
  readonly listwatchProgress?: boolean | undefined;
}

/** What a server has read: every option has a value, selectors are compiled. `printListOptions` takes it as it is. */
export interface ParsedListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** `undefined` when the client did not say. */
  readonly sendInitialEvents: boolean | undefined;
  /** Any text; `''` when the client did not say. Read it with `parseResourceVersion`. */
  readonly resourceVersion: string;
  /** Any text until it is validated; `''` when the client did not say. */
  readonly resourceVersionMatch: string;
  /** 0 when the client did not say. Beyond 2^53-1 either way it is cut to that: no page and no watch is that long. */
  readonly limit: number;
  readonly continue: string;
  /** `undefined` when the client did not say. Cut like `limit`; negative ends a watch at once. */
  readonly timeoutSeconds: number | undefined;
  readonly listwatchProgress: boolean;
}

/**
 * Reads the options from a query string, with or without its question mark. The first value of a parameter wins and
 * unknown parameters are ignored. Throws the 400 `StatusError` of Kubernetes for a bad number or selector (its `cause` says where). It neither
 * fills defaults nor checks how options go together: `decodeListOptions` does both.
 */
export function parseListOptions(queryString: string): ParsedListOptions {
  const query = parseQuery(queryString);
  const text = (name: string): string => firstValue(query, name) ?? '';
  const sendInitialEvents = firstValue(query, PARAM.sendInitialEvents);
  try {
    // Of several bad options the one that Kubernetes reads first is reported: numbers in this order, then selectors.
    const timeoutSeconds = parseInteger(firstValue(query, PARAM.timeoutSeconds));
    const limit = parseInteger(firstValue(query, PARAM.limit)) ?? 0;
    return {
      labelSelector: parseLabelSelector(text(PARAM.labelSelector)),
      fieldSelector: parseFieldSelector(text(PARAM.fieldSelector)),
      watch: parseBoolean(firstValue(query, PARAM.watch)),
      allowWatchBookmarks: parseBoolean(firstValue(query, PARAM.allowWatchBookmarks)),
      sendInitialEvents: sendInitialEvents === undefined ? undefined : parseBoolean(sendInitialEvents),
      resourceVersion: text(PARAM.resourceVersion),
      resourceVersionMatch: text(PARAM.resourceVersionMatch),
      limit,
      continue: text(PARAM.continue),
      timeoutSeconds,
      listwatchProgress: parseBoolean(firstValue(query, PARAM.listwatchProgress)),
    };
  } catch (error) {
    throw error instanceof IntegerError || error instanceof SelectorError ? badRequest(error.message, error) : error;
  }
}

/** The order in which options are printed. */
const PRINTED = [
  PARAM.labelSelector,
  PARAM.fieldSelector,
  PARAM.watch,
  PARAM.allowWatchBookmarks,
  PARAM.sendInitialEvents,
  PARAM.resourceVersion,
  PARAM.resourceVersionMatch,
  PARAM.limit,
  PARAM.continue,
  PARAM.timeoutSeconds,
  PARAM.listwatchProgress,
] as const;

/** What absence means for each option. Printing leaves out what would change nothing. */
const UNSAID: Readonly<Partial<Record<keyof ListOptions, unknown>>> = {
  watch: false,
  allowWatchBookmarks: false,
  limit: 0,
  listwatchProgress: false,
};

/**
 * Prints options as a query string without a question mark, `''` when there is nothing to say. Throws a RangeError for
 * a `limit` or `timeoutSeconds` that is not a whole number.
 */
export function printListOptions(options: ListOptions | ParsedListOptions): string {
  const params = new URLSearchParams();
  for (const name of PRINTED) {
    const value = options[name];
    if (value === undefined || value === UNSAID[name]) continue;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new RangeError(`${name} must be a whole number, not ${value}`);
    }
    const text = String(value);
    if (text !== '') params.append(name, text);
  }
  return params.toString();
}

function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(parseInt64(text));
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, value));
}
