/** How a gRPC call fails. */

/** The status codes of gRPC. */
export const GRPC_STATUS = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

/** The name of a status code. */
export type GrpcStatusName = keyof typeof GRPC_STATUS;

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(GRPC_STATUS).map(([name, code]) => [code, name]));

/** More about a failure. */
export interface GrpcErrorOptions {
  /** The server has not seen the call and never will. Default false. */
  readonly unsent?: boolean | undefined;
  /** The status is the server's own: the connection serves. Default false. */
  readonly answered?: boolean | undefined;
  readonly cause?: unknown;
}

/** A call that did not end with the status OK. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: number;
  /** The server's words, or ours when the connection failed. */
  readonly details: string;
  /** The server has not seen the call and never will: it may be repeated. */
  readonly unsent: boolean;
  /** The status is the server's own: the connection serves. */
  readonly answered: boolean;

  constructor(code: number, details: string, { unsent = false, answered = false, cause }: GrpcErrorOptions = {}) {
    super(`${NAMES.get(code) ?? code}: ${details}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.unsent = unsent;
    this.answered = answered;
  }

  /** The name of the code, for people. */
  get statusName(): string {
    return NAMES.get(this.code) ?? String(this.code);
  }
}
