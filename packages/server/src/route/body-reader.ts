/** The body of a request, read whole and never beyond the limit. */
import type { Readable } from 'node:stream';
import { badRequest, bodyTooLarge } from '@listwatch/api';
import { GatheredBytes } from '@listwatch/api/internal';
import type { RequestLifetime } from './request-lifetime.ts';

/**
 * Reads a body. Throws the 413 `StatusError` as soon as it is known to be larger than `maxBytes`, and the 400 one when
 * the client stops in the middle. When `life` ends, its reason is thrown as it is.
 */
export async function readBodyBytes(
  body: Readable,
  options: { readonly maxBytes: number; readonly contentLength?: string | undefined; readonly life: RequestLifetime },
): Promise<Buffer> {
  const { maxBytes, contentLength, life } = options;
  life.throwIfOver();
  if (contentLength !== undefined && Number(contentLength) > maxBytes) throw bodyTooLarge(maxBytes);
  const bytes = new GatheredBytes();
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      body.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      life.listen(undefined);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      if (bytes.length + chunk.length <= maxBytes) bytes.add(chunk);
      else settle(() => reject(bodyTooLarge(maxBytes)));
    };
    const onEnd = (): void => settle(() => resolve(bufferOf(bytes)));
    const onCut = (): void => settle(() => reject(badRequest('unexpected EOF')));
    const onOver = (): void => settle(() => reject(life.signal.reason));
    body.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    life.listen(onOver);
  });
}

function bufferOf(bytes: GatheredBytes): Buffer {
  const whole = bytes.whole();
  return Buffer.from(whole.buffer, whole.byteOffset, whole.length);
}
