/** Reads values of documents that come from any server, so that nothing in them is taken for granted. */

/** The value below these names; undefined where there is none. */
export function valueAt(document: unknown, ...names: readonly string[]): unknown {
  let found = document;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return found;
}

/** The text there; empty where there is none. */
export function documentText(document: unknown, ...names: readonly string[]): string {
  const found = valueAt(document, ...names);
  return typeof found === 'string' ? found : '';
}

/** The array there; empty where there is none. */
export function listAt(document: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = valueAt(document, ...names);
  return Array.isArray(found) ? found : [];
}
