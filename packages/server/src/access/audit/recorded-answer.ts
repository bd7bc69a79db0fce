/** The answer of a request as its audit event shows it. */

import { isStatus, MEDIA_TYPE, type Status } from '@listwatch/api';
import type { BytesResponse, StreamResponse } from '../../contract/api-response.ts';
import { auditJson } from './audit-json.ts';

/** Longer answers are lists; a line of a log cannot hold them, and the server would hold them twice. */
export const RECORDED_MAX_BYTES: number = 3 * 1024 * 1024;

/** `responseStatus`: of an object only the code, of a Status all that it says. */
export function responseStatusText(status: Status | undefined, code: number): string {
  if (status === undefined) return `{"metadata":{},"code":${code}}`;
  const { metadata = {}, message, reason, details, status: outcome } = status;
  return auditJson({
    metadata,
    status: outcome,
    message: message === '' ? undefined : message,
    reason: reason === '' ? undefined : reason,
    details,
    code: status.code ?? code,
  });
}

/** The Status in an answer that refuses; undefined when it holds something else, or in another form. */
export function statusIn(response: BytesResponse): Status | undefined {
  if (!isJson(response) || response.body.length > RECORDED_MAX_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(response.body.toString());
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Are the bytes of the answer those of JSON? */
export function isJson({ headers }: BytesResponse | StreamResponse): boolean {
  return headers['content-encoding'] === undefined && (headers['content-type'] ?? '').startsWith(MEDIA_TYPE.json);
}

/** Copies of the chunks of an answer, as long as they are not too many. */
export class CopiedChunks {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** The answer, whose chunks are copied when they are sent: their memory is used again. */
  copying(response: StreamResponse): StreamResponse {
    return { ...response, chunks: this.#copied(response.chunks) };
  }

  /** Was it too long to be kept? */
  get isCut(): boolean {
    return this.#bytes > RECORDED_MAX_BYTES;
  }

  /** All that was sent; undefined when that was too long. */
  get whole(): Buffer | undefined {
    return this.isCut ? undefined : Buffer.concat(this.#chunks);
  }

  async *#copied(chunks: StreamResponse['chunks']): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.isCut) this.#chunks = [];
      else this.#chunks.push(Buffer.from(chunk));
      yield chunk;
    }
  }
}
