/** What a key may be, and the order of keys: that of their UTF-8 bytes, in every engine. */

/** The longest key in UTF-8 bytes. LMDB takes 1978 with the engine's own suffix; Kubernetes needs about 600. */
export const MAX_KEY_BYTES = 1024;

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_KEY_BYTES + 4);

/** Half of a surrogate pair without the other: it has no UTF-8 form, so two such keys could become one. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Throws a `RangeError` unless `key` is 1 to {@link MAX_KEY_BYTES} bytes of well-formed text without NUL. */
export function checkKey(key: string): void {
  if (key.length === 0) throw new RangeError('a key must not be empty');
  checkText(key, 'key');
  if (key.includes('\0')) throw new RangeError(`a key must not contain NUL: ${JSON.stringify(key)}`);
}

/** Throws a `RangeError` unless `prefix` could be the beginning of a key; an empty one is fine. */
export function checkPrefix(prefix: string): void {
  checkText(prefix, 'prefix');
  if (prefix.includes('\0')) throw new RangeError(`a prefix must not contain NUL: ${JSON.stringify(prefix)}`);
}

/** Throws a `RangeError` unless `start` is well-formed text of a key's length; NUL is fine: it begins after a key. */
export function checkStart(start: string): void {
  checkText(start, 'start');
}

function checkText(text: string, what: string): void {
  // One UTF-16 unit is at most three bytes: short keys, which is all of them in practice, are not measured.
  if (text.length * 3 > MAX_KEY_BYTES && encoder.encodeInto(text, scratch).written > MAX_KEY_BYTES) {
    throw new RangeError(
      `a ${what} must not be longer than ${MAX_KEY_BYTES} bytes: ${JSON.stringify(text.slice(0, 64))}...`,
    );
  }
  if (LONE_SURROGATE.test(text)) throw new RangeError(`a ${what} must be well-formed text: ${JSON.stringify(text)}`);
}

/** Order of keys: negative, zero or positive as `a` comes before, is, or comes after `b` in UTF-8 byte order. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
}

/**
 * UTF-16 puts surrogate pairs (code points from U+10000) before U+E000 to U+FFFF; UTF-8 puts them after. Without this
 * the memory engine would page in another order than LMDB and etcd.
 */
function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit;
  // Moved down by exactly the surrogates' 0x800 places: further would land on the ranks of U+C000 to U+D7FF.
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
