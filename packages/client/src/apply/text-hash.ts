/** A short name for a long text. */

/** 64 bits, by FNV-1a with two seeds. Not for secrets and not against attackers. */
export function textHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed).toString(36)).join('.');
}

function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
