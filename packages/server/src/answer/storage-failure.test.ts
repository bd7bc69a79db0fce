import { StorageError, type StorageErrorCode } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { reportingStorage } from './storage-failure.ts';

function failing(code: StorageErrorCode): Promise<unknown> {
  return reportingStorage(() => Promise.reject(new StorageError(code, 'what the engine says', { revision: 7n })), 9n);
}

describe('failures of the storage', () => {
  it.each<readonly [StorageErrorCode, number, string, string]>([
    ['COMPACTED', 410, 'Expired', 'The resourceVersion for the provided list is too old.'],
    ['FUTURE_REVISION', 504, 'Timeout', 'Timeout: Too large resource version: 9, current: 7'],
    ['TOO_LARGE', 500, '', 'etcdserver: request is too large'],
    [
      'UNAVAILABLE',
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - the storage is unavailable',
    ],
    ['DISK_FULL', 507, 'InsufficientStorage', 'what the engine says'],
    ['CLOSED', 503, 'ServiceUnavailable', 'apiserver is shutting down'],
    ['CORRUPT', 500, 'InternalError', 'Internal error occurred: what the engine says'],
  ])('%s is %i %s', async (code, httpCode, reason, message) => {
    await expect(failing(code)).rejects.toMatchObject({ httpCode, reason, message });
  });

  it('a storage that does not answer asks for no other attempt: the write may have been carried out', async () => {
    await expect(failing('UNAVAILABLE')).rejects.toMatchObject({ retryAfterMs: undefined });
  });

  it('what is no failure of the storage is passed on as it is', async () => {
    const reason = new Error('the client has gone');
    const work = reportingStorage(() => Promise.reject(reason));
    await expect(work).rejects.toBe(reason);
  });
});
