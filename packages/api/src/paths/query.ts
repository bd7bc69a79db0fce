/** Query strings, read the way a Kubernetes server reads them. */

/** The values of each parameter, in the order in which they are written. */
export type Query = ReadonlyMap<string, readonly string[]>;

const NOTHING: Query = new Map();

/**
 * Reads a query string, with or without its question mark. As in Go, and unlike `URLSearchParams`, a pair that holds a
 * bare `;` or a broken percent escape is dropped and the rest is kept. Never fails.
 */
export function parseQuery(query: string): Query {
  if (query === '') return NOTHING;
  const values = new Map<string, string[]>();
  for (const pair of query.replace(/^\?/, '').split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescape(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** The first value of a parameter, the only one that counts for most; `undefined` when it is not given. */
export function firstValue(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}

/** Reads a boolean parameter. Absent, `0` and `false` in any case are false; **anything else, even nothing, is true**. */
export function parseBoolean(value: string | undefined): boolean {
  return value !== undefined && !/^(?:0|false)$/iu.test(value);
}

function unescape(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
