/** The body of a request, read whole and never beyond the limit. */
import type { Readable } from 'node:stream';
import { badRequest, bodyTooLarge } from '@listwatch/api';

/**
 * Reads a body. Throws the 413 `StatusError` as soon as it is known to be larger than `maxBytes`, and the 400 one when
 * the client stops in the middle. `signal`'s reason is thrown as it is.
 */
export async function readBody(
  body: Readable,
  options: { readonly maxBytes: number; readonly contentLength?: string | undefined; readonly signal: AbortSignal },
): Promise<Buffer> {
  const { maxBytes, contentLength, signal } = options;
  signal.throwIfAborted();
  if (contentLength !== undefined && Number(contentLength) > maxBytes) throw bodyTooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      body.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else settle(() => reject(bodyTooLarge(maxBytes)));
    };
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks)));
    const onCut = (): void => settle(() => reject(badRequest('unexpected EOF')));
    const onAbort = (): void => settle(() => reject(signal.reason));
    body.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    signal.addEventListener('abort', onAbort);
  });
}

const EMPTY = Buffer.alloc(0);
