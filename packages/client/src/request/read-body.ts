/** Reads bodies that fit in memory. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { ByteBuffer } from '../json/byte-buffer.ts';
import { parseJsonBytes } from '../json/parse-json.ts';
import { TransportError } from '../transport/transport-error.ts';

/**
 * Reads at most `maxBytes`, then closes the exchange. After a failure, `buffer` has what arrived before it.
 */
export async function readUpTo(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  buffer: ByteBuffer = new ByteBuffer(),
): Promise<Uint8Array> {
  for await (const chunk of body) {
    buffer.append(chunk.subarray(0, maxBytes - buffer.length));
    if (buffer.length === maxBytes) break;
  }
  return buffer.bytes;
}

/** Reads one JSON object. Rejects with `PROTOCOL` when it is none, or larger than `maxBytes`. */
export async function readJsonBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<JsonRecord> {
  const bytes = await readUpTo(body, maxBytes + 1);
  if (bytes.length > maxBytes) {
    throw new TransportError('PROTOCOL', `the answer is larger than maxObjectBytes (${maxBytes})`);
  }
  let value: unknown;
  try {
    value = parseJsonBytes(bytes);
  } catch (cause) {
    throw new TransportError('PROTOCOL', `the answer is not JSON: ${String(cause)}`, { cause });
  }
  if (!isRecord(value)) throw new TransportError('PROTOCOL', 'the answer is JSON, but not an object');
  return value;
}

/** Reads a body to its end without keeping it, so that the connection can be used again. */
export async function readOver(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) void chunk;
}
