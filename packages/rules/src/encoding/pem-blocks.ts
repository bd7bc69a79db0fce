/**
 * PEM: the text around certificates and keys. No regular expressions: one that looks for the end of each block takes minutes for a
 * megabyte of beginnings.
 */

import { binaryOf, bytesOf } from './base64.ts';

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const END = '-----END';

/** The type of the first block of a base64-encoded PEM text; undefined without a block. */
export function pemType(base64: string): string | undefined {
  for (const line of binaryOf(base64).split('\n')) {
    if (!line.startsWith(BEGIN)) continue;
    const head = line.trimEnd();
    if (head.length >= BEGIN.length + DASHES.length && head.endsWith(DASHES))
      return head.slice(BEGIN.length, -DASHES.length);
  }
  return undefined;
}

/** The bytes in each block of a type. The end of a block may be missing a part. */
export function pemBlocks(base64: string, type: string): readonly Uint8Array[] {
  const text = binaryOf(base64);
  const head = `${BEGIN}${type}${DASHES}`;
  const blocks: Uint8Array[] = [];
  for (let at = text.indexOf(head); at >= 0; ) {
    const end = text.indexOf(END, at + head.length);
    if (end < 0) break;
    blocks.push(bytesOf(text.slice(at + head.length, end)));
    at = text.indexOf(head, end + END.length);
  }
  return blocks;
}
