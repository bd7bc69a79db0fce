/** What a failed call to etcd means: may it be repeated, may it have happened, and which error does the user see? */

import { type ServiceError, status } from '@grpc/grpc-js';
import { StorageError, type StorageErrorCode } from '@listwatch/storage';

/**
 * The kinds of failure:
 *
 * - `unsent`: etcd has not carried it out and never will; another endpoint, or the same one later, may;
 * - `unknown`: it may or may not have been carried out; only a read may be repeated;
 * - `unauthenticated`: the token is not valid any more; not carried out;
 * - `compacted`, `future`, `leaseNotFound`, `authDisabled`: answers that the caller deals with;
 * - `final`: repeating it is of no use.
 */
export type EtcdFailure =
  | 'unsent'
  | 'unknown'
  | 'unauthenticated'
  | 'compacted'
  | 'future'
  | 'leaseNotFound'
  | 'authDisabled'
  | 'tooLarge'
  | 'diskFull'
  | 'incompatible'
  | 'corrupt'
  | 'final';

/** etcd tells its errors apart by their text only; these are the texts that matter, from its `rpctypes`. */
const BY_TEXT: readonly (readonly [string, EtcdFailure])[] = [
  ['mvcc: required revision has been compacted', 'compacted'],
  ['mvcc: required revision is a future revision', 'future'],
  ['requested lease not found', 'leaseNotFound'],
  ['request is too large', 'tooLarge'],
  // What gRPC itself says when the message is larger than even its buffer for a request of etcd's limit.
  ['received message larger than max', 'tooLarge'],
  ['mvcc: database space exceeded', 'diskFull'],
  ['too large lease TTL', 'final'],
  ['authentication is not enabled', 'authDisabled'],
  ['invalid auth token', 'unauthenticated'],
  // Authentication was switched on after this client had found it off.
  ['user name is empty', 'unauthenticated'],
  ['revision of auth store is old', 'unauthenticated'],
  ['corrupt cluster', 'corrupt'],
  // Refused before anything was proposed to the cluster.
  ['etcdserver: no leader', 'unsent'],
  ['etcdserver: not capable', 'unsent'],
  ['rpc not supported for learner', 'unsent'],
  ['etcdserver: too many requests', 'unsent'],
  // grpc-js: the call waited for a connection and never got one.
  ['No connection established', 'unsent'],
  ['Waiting for LB pick', 'unsent'],
  ['waiting for name resolution', 'unsent'],
  ['Name resolution failed', 'unsent'],
  ['Channel closed before call started', 'unsent'],
  ['Stream refused by server', 'unsent'],
];

const BY_CODE: Readonly<Partial<Record<status, EtcdFailure>>> = {
  [status.CANCELLED]: 'unknown',
  [status.UNKNOWN]: 'unknown',
  [status.DEADLINE_EXCEEDED]: 'unknown',
  [status.ABORTED]: 'unknown',
  [status.INTERNAL]: 'unknown',
  [status.UNAVAILABLE]: 'unknown',
  [status.RESOURCE_EXHAUSTED]: 'unknown',
  [status.UNAUTHENTICATED]: 'unauthenticated',
  [status.UNIMPLEMENTED]: 'incompatible',
  [status.DATA_LOSS]: 'corrupt',
};

/** The kind of a failed call. */
export function classifyFailure(error: ServiceError): EtcdFailure {
  return classifyText(error.details) ?? BY_CODE[error.code] ?? 'final';
}

/** The kind that etcd's own words name, or undefined when they are not among those that matter. */
export function classifyText(text: string): EtcdFailure | undefined {
  return BY_TEXT.find(([words]) => text.includes(words))?.[1];
}

/** An answer of etcd that is no success, and that the caller of the call deals with. */
export class EtcdAnswer extends Error {
  override readonly name = 'EtcdAnswer';
  readonly failure: EtcdFailure;

  constructor(failure: EtcdFailure, cause: ServiceError) {
    super(cause.details, { cause });
    this.failure = failure;
  }
}

/** Whether `error` is this answer of etcd's. */
export function isAnswer(error: unknown, failure: EtcdFailure): boolean {
  return error instanceof EtcdAnswer && error.failure === failure;
}

/** Whether `error` is one of gRPC's. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;
}

/** The codes of the failures that are not simply `UNAVAILABLE`. */
const CODES: Readonly<Partial<Record<EtcdFailure, StorageErrorCode>>> = {
  tooLarge: 'TOO_LARGE',
  diskFull: 'DISK_FULL',
  incompatible: 'INCOMPATIBLE',
  corrupt: 'CORRUPT',
};

/** The error that the user sees. `write`: the call would have changed something. */
export function toStorageError(error: ServiceError, endpoint: string, write: boolean): StorageError {
  const failure = classifyFailure(error);
  const message = `etcd at ${endpoint}: ${error.details === '' ? status[error.code] : error.details}`;
  return new StorageError(CODES[failure] ?? 'UNAVAILABLE', message, {
    cause: error,
    uncertain: write && failure === 'unknown',
  });
}
