/** Text in HPACK's Huffman code (RFC 7541, appendix B), as far as it is ASCII. */

/**
 * The characters by the length of their code, each length in the order of the characters: the code is canonical, so the
 * lengths say it all. No header of gRPC has others: they are refused.
 */
const BY_LENGTH: readonly (readonly [number, string])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\0$@[]~'],
  [14, '^}'],
  [15, '<`{'],
  [19, '\\'],
];

const MAX_LENGTH = 19;

/** By length: the first code, and the characters from it on. */
const CODES: readonly ({ readonly first: number; readonly text: string } | undefined)[] = codes();

function codes(): ({ readonly first: number; readonly text: string } | undefined)[] {
  const table: ({ readonly first: number; readonly text: string } | undefined)[] = [];
  let next = 0;
  let length = 0;
  for (const [bits, text] of BY_LENGTH) {
    next <<= bits - length;
    length = bits;
    table[bits] = { first: next, text };
    next += text.length;
  }
  return table;
}

/** Undefined: it is not such text. */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | undefined {
  let text = '';
  let code = 0;
  let length = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = (code << 1) | ((byte >> bit) & 1);
      length += 1;
      const codesOfLength = CODES[length];
      if (codesOfLength !== undefined) {
        const character = codesOfLength.text[code - codesOfLength.first];
        if (character !== undefined) {
          text += character;
          code = 0;
          length = 0;
        }
      }
      if (length > MAX_LENGTH) return undefined;
    }
  }
  // The last byte is filled up with ones, which are the beginning of a code that is never used.
  return length < 8 && code === 2 ** length - 1 ? text : undefined;
}
