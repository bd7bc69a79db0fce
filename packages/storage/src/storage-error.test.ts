import { describe, expect, it } from 'vitest';
import { isStorageError, requireCommitted, StorageError } from './storage-error.ts';

describe('StorageError', () => {
  it('carries its code, its facts and its cause', () => {
    const cause = new Error('below');
    const error = new StorageError('COMPACTED', 'gone', { key: 'a', revision: 7n, cause });
    expect(error).toMatchObject({ name: 'StorageError', code: 'COMPACTED', key: 'a', revision: 7n, uncertain: false });
    expect(error.cause).toBe(cause);
  });

  it('is recognised by name and code, so that another copy of the package is recognised too', () => {
    const foreign = Object.assign(new Error('gone'), { name: 'StorageError', code: 'COMPACTED' });
    expect(isStorageError(foreign)).toBe(true);
    expect(isStorageError(foreign, 'COMPACTED')).toBe(true);
    expect(isStorageError(foreign, 'CLOSED')).toBe(false);
    expect(isStorageError(new Error('other'))).toBe(false);
    expect(isStorageError({ name: 'StorageError', code: 'COMPACTED' })).toBe(false);
  });
});

describe('requireCommitted', () => {
  it('gives the revision of a commit and throws a refusal with its reason as the code', () => {
    expect(requireCommitted({ committed: true, revision: 3n }, 'a')).toBe(3n);
    const current = { key: 'a', value: new Uint8Array(), modRevision: 9n };
    const refused = { committed: false, reason: 'CONFLICT', current, revision: 10n } as const;
    expect(() => requireCommitted(refused, 'a')).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        key: 'a',
        revision: 9n,
        message: expect.stringContaining('revision 9'),
      }),
    );
  });

  it('names the other key that blocked a change, and where it stands', () => {
    const refused = { committed: false, reason: 'BLOCKED', current: undefined, revision: 10n } as const;
    const blocked = (revision: bigint) => ({ ...refused, blockedBy: { type: 'guard', key: 'b', revision } as const });
    expect(() => requireCommitted(blocked(9n), 'a')).toThrow(
      expect.objectContaining({
        code: 'BLOCKED',
        key: 'b',
        revision: 9n,
        message: 'key "a" depends on "b", which stands at revision 9',
      }),
    );
    expect(() => requireCommitted(blocked(0n), 'a')).toThrow('key "a" depends on "b", which does not exist');
  });
});
