/** The key of a journal, as a file has it. */

import { KEY_BYTES } from './frame-seal.ts';

/** 32 bytes as they are, or as base64 or hexadecimal digits. Throws a `RangeError` that does not show what it got. */
export function journalKey(content: Uint8Array): Uint8Array {
  if (content.length === KEY_BYTES) return content;
  const text = Buffer.from(content).toString('latin1').trim();
  const encoding = /^[0-9a-f]{64}$/iu.test(text) ? 'hex' : 'base64';
  const key = Buffer.from(text, encoding);
  if (key.length === KEY_BYTES && (encoding === 'hex' || /^[A-Za-z0-9+/]{43}=?$/u.test(text))) return key;
  throw new RangeError('a journal key is 32 bytes, or these in base64 or hexadecimal (openssl rand -base64 32)');
}
