/** What a failed call to etcd means: may it be repeated, may it have happened, and which error does the user see? */

import { StorageError, type StorageErrorCode } from '@listwatch/storage';
import { GRPC_STATUS, type GrpcError } from './grpc/grpc-error.ts';

/**
 * The kinds of failure:
 *
 * - `unsent`: etcd has not carried it out and never will; another endpoint, or the same one later, may;
 * - `unknown`: it may or may not have been carried out; only a read may be repeated;
 * - `unauthenticated`: the token is not valid any more; not carried out;
 * - `loginRefused`: the user or the password is wrong;
 * - `compacted`, `future`, `leaseNotFound`, `authDisabled`: answers that the caller deals with;
 * - `final`: repeating it is of no use.
 */
export type EtcdFailure =
  | 'unsent'
  | 'unknown'
  | 'unauthenticated'
  | 'loginRefused'
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
  // What gRPC itself says when the request is larger than even the buffer for one of etcd's limit.
  ['received message larger than max', 'tooLarge'],
  ['mvcc: database space exceeded', 'diskFull'],
  ['too large lease TTL', 'final'],
  ['authentication is not enabled', 'authDisabled'],
  ['authentication failed, invalid user ID or password', 'loginRefused'],
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
];

const BY_CODE: ReadonlyMap<number, EtcdFailure> = new Map([
  [GRPC_STATUS.CANCELLED, 'unknown'],
  [GRPC_STATUS.UNKNOWN, 'unknown'],
  [GRPC_STATUS.DEADLINE_EXCEEDED, 'unknown'],
  [GRPC_STATUS.ABORTED, 'unknown'],
  [GRPC_STATUS.INTERNAL, 'unknown'],
  [GRPC_STATUS.UNAVAILABLE, 'unknown'],
  [GRPC_STATUS.RESOURCE_EXHAUSTED, 'unknown'],
  [GRPC_STATUS.UNAUTHENTICATED, 'unauthenticated'],
  [GRPC_STATUS.UNIMPLEMENTED, 'incompatible'],
  [GRPC_STATUS.DATA_LOSS, 'corrupt'],
]);

/** The kind of a failed call. */
export function classifyFailure(error: GrpcError): EtcdFailure {
  if (error.unsent) return 'unsent';
  return classifyText(error.details) ?? BY_CODE.get(error.code) ?? 'final';
}

/** The kind that etcd's own words name, or undefined when they are not among those that matter. */
export function classifyText(text: string): EtcdFailure | undefined {
  return BY_TEXT.find(([words]) => text.includes(words))?.[1];
}

/** An answer of etcd that is no success, and that the caller of the call deals with. */
export class EtcdAnswer extends Error {
  override readonly name = 'EtcdAnswer';
  readonly failure: EtcdFailure;

  constructor(failure: EtcdFailure, cause: GrpcError) {
    super(cause.details, { cause });
    this.failure = failure;
  }
}

/** Whether `error` is this answer of etcd's. */
export function isAnswer(error: unknown, failure: EtcdFailure): boolean {
  return error instanceof EtcdAnswer && error.failure === failure;
}

/** The codes of the failures that are not simply `UNAVAILABLE`. */
const CODES: Readonly<Partial<Record<EtcdFailure, StorageErrorCode>>> = {
  tooLarge: 'TOO_LARGE',
  diskFull: 'DISK_FULL',
  incompatible: 'INCOMPATIBLE',
  corrupt: 'CORRUPT',
};

/** The error that the user sees. `write`: the call would have changed something. */
export function toStorageError(error: GrpcError, endpoint: string, write: boolean): StorageError {
  const failure = classifyFailure(error);
  const message = `etcd at ${endpoint}: ${error.details === '' ? error.statusName : error.details}`;
  return new StorageError(CODES[failure] ?? 'UNAVAILABLE', message, {
    cause: error,
    uncertain: write && failure === 'unknown',
  });
}
