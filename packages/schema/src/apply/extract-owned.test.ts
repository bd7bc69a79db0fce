import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { THING, Written } from './apply.fixture.ts';
import { ApplyTypes } from './apply-types.ts';
import { extractOwnedFields } from './extract-owned.ts';

const type = new ApplyTypes(new SchemaSet()).type(THING);

describe('extractOwned', () => {
  it('gives back what the manager has applied, ready to be applied again', () => {
    const written = new Written();
    const spec = { gmap: { a: '1' }, alist: ['x'], set: ['s'], ml: [{ k: 'a', v: 1 }], gstruct: { a: 1 } };
    written.apply('A', { metadata: { name: 't', namespace: 'n', labels: { l: 'x' } }, spec });
    written.spec('B', { gmap: { b: '2' }, set: ['t'], ml: [{ k: 'a', w: 1 }, { k: 'b' }], gstruct: { b: 2 } });
    const owned = extractOwnedFields(written.object, type, { manager: 'A' });
    expect(owned).toEqual({
      apiVersion: 'x.io/v1',
      kind: 'Thing',
      metadata: { name: 't', namespace: 'n', labels: { l: 'x' } },
      spec,
    });
    const before = written.entries;
    written.apply('A', owned ?? {});
    expect(written.entries).toEqual(before);
  });

  it('is in the version of the object, whichever version the manager has applied', () => {
    const written = new Written();
    written.spec('A', { replicas: 1 });
    const object = { ...written.object, apiVersion: 'x.io/v2' };
    expect(extractOwnedFields(object, type, { manager: 'A' })?.['apiVersion']).toBe('x.io/v2');
  });

  it('knows nothing of a manager that has not applied, and tells subresources apart', () => {
    const written = new Written();
    written.updateSpec('U', { replicas: 1 });
    expect(extractOwnedFields(written.object, type, { manager: 'U' })).toBeUndefined();
    written.at({}).spec('A', { flag: true });
    const status = written.at({ subresource: 'status', reset: ['spec', 'metadata'] });
    status.apply('A', { status: { replicas: 3 } });
    expect(extractOwnedFields(status.object, type, { manager: 'A' })).toBeUndefined();
    expect(extractOwnedFields(status.object, type, { manager: 'A', subresource: 'status' })).toMatchObject({
      status: { replicas: 3 },
    });
  });

  it('refuses an object that does not fit its type', () => {
    const written = new Written();
    written.spec('A', { replicas: 1 });
    const object = { ...written.object, spec: { replicas: 'x' } };
    expect(() => extractOwnedFields(object, type, { manager: 'A' })).toThrow(
      expect.objectContaining({ code: 'OBJECT_MISMATCH' }),
    );
  });
});
