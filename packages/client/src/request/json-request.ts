/** Requests whose bodies, both ways, are JSON. */

import type { AbortOptions } from '@listwatch/api';
import { HEADER, MEDIA_TYPE } from '@listwatch/api';
import type { TransportRequest } from '../transport/transport.ts';

/** One request. */
export interface JsonRequest extends AbortOptions {
  readonly method: TransportRequest['method'];
  readonly path: string;
  /** Default: plain JSON. */
  readonly accept?: string | undefined;
  readonly body?: unknown;
  /** Default: plain JSON. */
  readonly contentType?: string | undefined;
  /** Only a watch may be silent; for other requests silence means a dead connection. */
  readonly isWatch?: boolean | undefined;
}

/** The User-Agent of clients that name none. */
export const DEFAULT_USER_AGENT = 'listwatch';

/** How long the body of an answer may send nothing. */
const IDLE_TIMEOUT_MS = 60_000;

const encoder = new TextEncoder();

/** The request as a transport takes it. */
export function transportRequest(request: JsonRequest, userAgent: string = DEFAULT_USER_AGENT): TransportRequest {
  const { method, path, accept = MEDIA_TYPE.json, body, contentType = MEDIA_TYPE.json, isWatch, signal } = request;
  return {
    method,
    path,
    headers: {
      [HEADER.accept.toLowerCase()]: accept,
      'user-agent': userAgent,
      ...(body === undefined ? {} : { [HEADER.contentType.toLowerCase()]: contentType }),
    },
    body: body === undefined ? undefined : encoder.encode(JSON.stringify(body)),
    idleTimeoutMs: isWatch === true ? undefined : IDLE_TIMEOUT_MS,
    signal,
  };
}
