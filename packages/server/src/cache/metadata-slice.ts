/** Finds the metadata of an object in its bytes, without parsing them. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const METADATA = Buffer.from('"metadata":{');

/** The JSON of `metadata`, braces included, as a view of the bytes. The layout puts it in front. */
export function metadataSlice(bytes: Buffer): Buffer {
  const start = bytes.indexOf(METADATA) + METADATA.length - 1;
  return bytes.subarray(start, endOfObject(bytes, start));
}

/** The index after the object that begins at `start`. Braces in strings do not count. */
function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACE) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  throw new SyntaxError('an object in the cache does not end');
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  throw new SyntaxError('a string in the cache does not end');
}
