/** Names made from a `generateName`. */

/** No vowels and no digits that look like them, so that no name spells a word. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const RANDOM_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - RANDOM_LENGTH;

/** A name that begins with `base`, which is cut to what leaves room for a random ending. */
export function generatedName(base: string): string {
  return `${base.slice(0, MAX_BASE_LENGTH)}${randomEnding()}`;
}

function randomEnding(): string {
  let ending = '';
  while (ending.length < RANDOM_LENGTH) {
    for (const byte of globalThis.crypto.getRandomValues(new Uint8Array(2 * RANDOM_LENGTH))) {
      // Values beyond a multiple of the alphabet would favour its first letters.
      if (byte < 256 - (256 % ALPHABET.length)) ending += ALPHABET[byte % ALPHABET.length];
    }
  }
  return ending.slice(0, RANDOM_LENGTH);
}
