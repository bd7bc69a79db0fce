import { constants, tmpdir } from 'node:os';
import { StorageError } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { commitFailure, writeFailure } from './commit-failure.ts';

function failed(code: number | string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

describe('a write that failed', () => {
  it.each<[number | string, string]>([
    [constants.errno.ENOSPC, 'DISK_FULL'],
    [constants.errno.EDQUOT, 'DISK_FULL'],
    [constants.errno.EFBIG, 'DISK_FULL'],
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    [-30_792, 'DISK_FULL'],
    [-30_796, 'CORRUPT'],
    [-30_797, 'CORRUPT'],
    [-30_779, 'CORRUPT'],
    [13, 'UNAVAILABLE'],
    ['EROFS', 'UNAVAILABLE'],
  ])('with code %s is %s', (code, expected) => {
    const error = writeFailure(failed(code), tmpdir());
    expect(error).toMatchObject({ code: expected, uncertain: false });
    expect(error.message).toContain(tmpdir());
  });

  it.runIf(process.platform === 'linux')(
    'with an input/output error is DISK_FULL only where the disk has no room',
    () => {
      expect(writeFailure(failed(5), tmpdir())).toMatchObject({ code: 'UNAVAILABLE' });
      expect(writeFailure(failed(5), '/proc')).toMatchObject({ code: 'DISK_FULL' });
      expect(writeFailure(failed(5), '/nowhere')).toMatchObject({ code: 'UNAVAILABLE' });
    },
  );

  it('has the error that lmdb hands over later, and keeps one of ours', async () => {
    const cause = failed(28);
    const commitError = Promise.reject(cause);
    const general = Object.assign(new Error('Commit failed (see commitError for details)'), { commitError });
    expect(await commitFailure(general, tmpdir(), true)).toMatchObject({ code: 'DISK_FULL', cause, uncertain: true });
    const ours = new StorageError('IN_USE', 'taken');
    expect(writeFailure(ours, tmpdir())).toBe(ours);
  });
});
