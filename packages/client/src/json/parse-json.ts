/** JSON from bytes. */

/** Fatal: bytes that are no UTF-8 are damage, and must not become an object with question marks in it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON. The result keeps neither the bytes nor a text of them: `JSON.parse` copies each string. Throws a
 * SyntaxError or a TypeError.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Parses values that stand on a line each; `undefined` when some do not. A newline within a value would become a comma
 * where none may stand, and what is parsed is counted besides.
 */
export function parseJsonLines(bytes: Uint8Array): readonly unknown[] | undefined {
  const lines = utf8.decode(bytes).split('\n');
  try {
    const values: readonly unknown[] = JSON.parse(`[${lines.join(',')}]`);
    return values.length === lines.length ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Parses values with commas between them. Throws when the last one is not whole. */
export function parseJsonRun(bytes: Uint8Array): readonly unknown[] {
  const values: readonly unknown[] = JSON.parse(`[${utf8.decode(bytes)}]`);
  return values;
}
