/** Reads the body of a write whole: it must be whole anyway, because credentials may have to be renewed and it be sent again. */

import type { IncomingMessage } from 'node:http';
import { requestEntityTooLarge } from '@listwatch/api';

/** The limit of kube-apiserver. */
const BODY_MAX_BYTES = 3 * 1024 * 1024;

/** Undefined when there is none. Throws the 413 `StatusError`; rejects when the browser has gone. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const tooLarge = requestEntityTooLarge(`the body is larger than ${BODY_MAX_BYTES} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > BODY_MAX_BYTES) throw tooLarge;
    chunks.push(part);
  }
  return bytes === 0 ? undefined : Buffer.concat(chunks, bytes);
}
