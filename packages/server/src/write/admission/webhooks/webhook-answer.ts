/** The HTTP answer of a webhook, read within its limits. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { GatheredBytes } from '@listwatch/api/internal';

/** The HTTP answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string;
  readonly body: Buffer;
}

/** An answer that is larger than any review. */
export class LongAnswer extends Error {
  override readonly name = 'LongAnswer';

  constructor() {
    super(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
  }
}

/** As much as a request may have. */
export const MAX_ANSWER_BYTES: number = 3 * 1024 * 1024;

const unzip = promisify(gunzip);

/** Reads the whole body. Rejects with {@link LongAnswer} above the limit, also when the body is packed. */
export async function readAnswer(
  stream: Readable,
  status: number,
  headers: IncomingHttpHeaders,
): Promise<WebhookAnswer> {
  const bytes = new GatheredBytes();
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    bytes.add(part);
    // Leaving the loop destroys the stream, and so stops an endless answer.
    if (bytes.length > MAX_ANSWER_BYTES) throw new LongAnswer();
  }
  const retryAfter = headers['retry-after'] ?? '';
  const contentType = headers['content-type'] ?? '';
  return {
    status,
    contentType,
    retryAfter,
    body: await plain(Buffer.concat(bytes.chunks()), headers['content-encoding']),
  };
}

async function plain(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding !== 'gzip') return body;
  try {
    return await unzip(body, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    throw isCode(error, 'ERR_BUFFER_TOO_LARGE') ? new LongAnswer() : error;
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
