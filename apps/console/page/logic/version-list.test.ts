import type { ApiObject } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import {
  hasOlder,
  hasRoom,
  MAX_VERSION_CHARS,
  MAX_VERSIONS,
  type ObjectVersion,
  withNewer,
  withOlder,
} from './version-list.ts';

function object(
  version: number,
  more: { readonly uid?: string; readonly text?: string; readonly manager?: string } = {},
): ApiObject {
  const { uid = 'u', text = '', manager = `m${version}` } = more;
  const managedFields = [{ manager, operation: 'Update' as const, time: `t${version}`, fieldsV1: {} }];
  return { metadata: { name: 'a', uid, resourceVersion: String(version), managedFields, annotations: { text } } };
}

function told(versions: readonly ObjectVersion[]): readonly string[] {
  return versions.map(({ resourceVersion, type, managers }) => [resourceVersion, type, ...managers].join(' '));
}

describe('the versions of an object', () => {
  it('name who made each, and take no version twice', () => {
    let versions = withNewer([], 'oldest', object(3));
    versions = withNewer(versions, 'modified', object(5));
    versions = withNewer(versions, 'modified', object(5));
    versions = withNewer(versions, 'modified', object(4));
    versions = withNewer(versions, 'deleted', object(9));
    versions = withNewer(versions, 'added', object(12, { uid: 'v' }));
    expect(told(versions)).toEqual(['3 oldest', '5 modified m5', '9 deleted', '12 added m12']);
  });

  it('go back until the object did not exist', () => {
    let versions = withNewer([], 'oldest', object(7));
    expect(hasOlder(versions, 1)).toBe(true);
    versions = withOlder(versions, object(4));
    expect(told(versions)).toEqual(['4 oldest', '7 modified m7']);
    versions = withOlder(versions, object(2, { uid: 'before' }));
    expect(told(versions)).toEqual(['2 oldest', '4 added m4', '7 modified m7']);
    versions = withOlder(versions, undefined);
    expect(told(versions)).toEqual(['2 added m2', '4 added m4', '7 modified m7']);
    expect(hasOlder(versions, 1)).toBe(false);
    expect(hasOlder(withNewer([], 'oldest', object(7)), 7)).toBe(false);
  });

  it('are bounded in number: the oldest leave', () => {
    let versions: readonly ObjectVersion[] = [];
    for (let version = 1; version <= MAX_VERSIONS + 500; version += 1)
      versions = withNewer(versions, 'modified', object(version));
    expect(versions).toHaveLength(MAX_VERSIONS);
    expect(versions.at(-1)?.resourceVersion).toBe(String(MAX_VERSIONS + 500));
    expect(hasOlder(versions, 1)).toBe(true);
    expect(hasRoom(versions)).toBe(false);
  });

  it('are bounded in bytes, but for one', () => {
    const text = 'x'.repeat(1024 * 1024);
    let versions: readonly ObjectVersion[] = [];
    for (let version = 1; version <= 50; version += 1)
      versions = withNewer(versions, 'modified', object(version, { text }));
    expect(versions.length * text.length).toBeLessThanOrEqual(MAX_VERSION_CHARS);
    expect(versions.length).toBeGreaterThan(20);
    const huge = object(99, { text: 'x'.repeat(MAX_VERSION_CHARS + 1) });
    expect(withNewer(versions, 'modified', huge)).toHaveLength(1);
  });
});
