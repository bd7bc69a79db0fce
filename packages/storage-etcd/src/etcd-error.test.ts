import { describe, expect, it } from 'vitest';
import { classifyFailure, type EtcdFailure, toStorageError } from './etcd-error.ts';
import { GRPC_STATUS, GrpcError } from './grpc/grpc-error.ts';

const status = GRPC_STATUS;

function failed(code: number, details: string, unsent = false): GrpcError {
  return new GrpcError(code, details, { unsent });
}

describe('a failed call', () => {
  it.each<[number, string, EtcdFailure]>([
    [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
    [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision', 'future'],
    [status.NOT_FOUND, 'etcdserver: requested lease not found', 'leaseNotFound'],
    [status.INVALID_ARGUMENT, 'etcdserver: request is too large', 'tooLarge'],
    [status.RESOURCE_EXHAUSTED, 'grpc: received message larger than max (3000000 vs. 2097152)', 'tooLarge'],
    [status.RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded', 'diskFull'],
    [status.RESOURCE_EXHAUSTED, 'etcdserver: too many requests', 'unsent'],
    [status.UNAVAILABLE, 'etcdserver: no leader', 'unsent'],
    [status.UNAVAILABLE, 'etcdserver: leader changed', 'unknown'],
    [status.UNAVAILABLE, 'etcdserver: request timed out', 'unknown'],
    [status.UNAVAILABLE, 'etcdserver: server stopped', 'unknown'],
    [status.UNAVAILABLE, 'the connection was lost', 'unknown'],
    [status.DEADLINE_EXCEEDED, 'no answer within 10000 ms', 'unknown'],
    [status.UNAUTHENTICATED, 'etcdserver: invalid auth token', 'unauthenticated'],
    [status.INVALID_ARGUMENT, 'etcdserver: revision of auth store is old', 'unauthenticated'],
    [status.INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', 'loginRefused'],
    [status.FAILED_PRECONDITION, 'etcdserver: authentication is not enabled', 'authDisabled'],
    [status.PERMISSION_DENIED, 'etcdserver: permission denied', 'final'],
    [status.UNIMPLEMENTED, 'unknown service etcdserverpb.KV', 'incompatible'],
    [status.DATA_LOSS, 'etcdserver: corrupt cluster', 'corrupt'],
    [status.INTERNAL, 'the call was reset with code 2', 'unknown'],
  ])('%s %s is %s', (code, details, kind) => {
    expect(classifyFailure(failed(code, details))).toBe(kind);
  });

  it('that etcd has not seen is unsent, whatever its words', () => {
    expect(classifyFailure(failed(status.UNAVAILABLE, 'no connection', true))).toBe('unsent');
    expect(classifyFailure(failed(status.DEADLINE_EXCEEDED, 'etcdserver: request is too large', true))).toBe('unsent');
  });

  it('is uncertain for a write that may have been carried out, and only then', () => {
    const dropped = failed(status.UNAVAILABLE, 'the connection was lost');
    expect(toStorageError(dropped, 'http://e', true)).toMatchObject({ code: 'UNAVAILABLE', uncertain: true });
    expect(toStorageError(dropped, 'http://e', false)).toMatchObject({ code: 'UNAVAILABLE', uncertain: false });
    const noLeader = failed(status.UNAVAILABLE, 'etcdserver: no leader');
    expect(toStorageError(noLeader, 'http://e', true)).toMatchObject({ code: 'UNAVAILABLE', uncertain: false });
  });

  it('keeps its cause and names the endpoint', () => {
    const cause = failed(status.INVALID_ARGUMENT, 'etcdserver: request is too large');
    const error = toStorageError(cause, 'http://127.0.0.1:2379', true);
    expect(error).toMatchObject({ code: 'TOO_LARGE', cause });
    expect(error.message).toContain('http://127.0.0.1:2379');
  });
});
