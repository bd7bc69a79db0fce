/** PEM: the text around certificates and keys. */

import { binaryOf, bytesOf } from './base64.ts';

/** The type of the first block of a base64-encoded PEM text; undefined without a block. */
export function pemType(base64: string): string | undefined {
  return /^-----BEGIN ([^\n]*)-----\s*$/mu.exec(binaryOf(base64))?.[1];
}

/** The bytes in each block of a type. The end of a block may be missing a part. */
export function pemBlocks(base64: string, type: string): readonly Uint8Array[] {
  const block = new RegExp(`-----BEGIN ${type}-----([\\s\\S]*?)-----END`, 'gu');
  return Array.from(binaryOf(base64).matchAll(block), ([, body = '']) => bytesOf(body));
}
