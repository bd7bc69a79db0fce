/** The outcome of a call, from the headers, the trailers and the end of its HTTP/2 stream. */

import type { StreamFailure } from '../http2/client-stream.ts';
import { RESET } from '../http2/frame-format.ts';
import type { HeaderFields } from '../http2/hpack-decoder.ts';
import { GRPC_STATUS, GrpcError } from './grpc-error.ts';

const ENHANCE_YOUR_CALM = 11;
const INADEQUATE_SECURITY = 12;

const HTTP_OK = 200;

/** As gRPC maps the answers of proxies and of servers that are none of gRPC. */
const BY_HTTP_STATUS: ReadonlyMap<number, number> = new Map([
  [400, GRPC_STATUS.INTERNAL],
  [401, GRPC_STATUS.UNAUTHENTICATED],
  [403, GRPC_STATUS.PERMISSION_DENIED],
  [404, GRPC_STATUS.UNIMPLEMENTED],
  [429, GRPC_STATUS.UNAVAILABLE],
  [502, GRPC_STATUS.UNAVAILABLE],
  [503, GRPC_STATUS.UNAVAILABLE],
  [504, GRPC_STATUS.UNAVAILABLE],
]);

const BY_RESET: ReadonlyMap<number, number> = new Map<number, number>([
  [RESET.CANCEL, GRPC_STATUS.CANCELLED],
  [RESET.REFUSED_STREAM, GRPC_STATUS.UNAVAILABLE],
  [ENHANCE_YOUR_CALM, GRPC_STATUS.RESOURCE_EXHAUSTED],
  [INADEQUATE_SECURITY, GRPC_STATUS.PERMISSION_DENIED],
]);

/** Undefined: OK. */
export type CallOutcome = GrpcError | undefined;

/**
 * What the headers of an answer say: `undefined` when the status is still to come in the trailers. A server that has nothing
 * to send puts the status into the headers.
 */
export function headerOutcome(headers: HeaderFields): { readonly outcome: CallOutcome } | undefined {
  const status = Number(headers[':status']);
  const type = headers['content-type'] ?? '';
  if (headers['grpc-status'] !== undefined) return { outcome: trailerOutcome(headers) };
  if (status === HTTP_OK && type.startsWith('application/grpc')) return undefined;
  const details = `the server answered with HTTP status ${status} and content type ${JSON.stringify(type)}, which is not gRPC`;
  return { outcome: new GrpcError(BY_HTTP_STATUS.get(status) ?? GRPC_STATUS.UNKNOWN, details) };
}

/** What the trailers of an answer say. */
export function trailerOutcome(trailers: HeaderFields): CallOutcome {
  const status = trailers['grpc-status'];
  if (status === '0') return undefined;
  if (status === undefined || !/^\d{1,3}$/u.test(status)) return missingStatus();
  const message = trailers['grpc-message'];
  return new GrpcError(Number(status), message === undefined ? '' : decodeMessage(message), { answered: true });
}

/** A stream that ended without a status. It may have been carried out. */
export function missingStatus(): GrpcError {
  return new GrpcError(GRPC_STATUS.INTERNAL, 'the server ended the call without a status');
}

/** A stream that was reset, or that went with its connection. */
export function failureOutcome({ code, error, unsent }: StreamFailure): GrpcError {
  if (code === undefined) {
    const words = error === undefined ? 'the connection was lost' : `the connection was lost: ${error.message}`;
    return new GrpcError(GRPC_STATUS.UNAVAILABLE, words, { unsent, cause: error });
  }
  const words = code === RESET.REFUSED_STREAM ? 'the server refused the call' : `the call was reset with code ${code}`;
  return new GrpcError(BY_RESET.get(code) ?? GRPC_STATUS.INTERNAL, words, { unsent });
}

/** `grpc-message` is percent-encoded. One that is not well-formed is shown as it is. */
function decodeMessage(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
