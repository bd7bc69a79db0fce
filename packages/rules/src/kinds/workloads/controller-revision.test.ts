import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const controllerRevision = builtInKind('apps/v1.ControllerRevision');

describe('a ControllerRevision', () => {
  it.each([
    ['an object', { a: 1 }, ''],
    ['nothing', undefined, 'data: Required value: data is mandatory'],
    ['null', null, 'data: Required value: data is mandatory'],
    ['a text', 'x', 'data: Required value: data must be a valid JSON object'],
    ['a list', [1], 'data: Required value: data must be a valid JSON object'],
  ])('that holds %s is validated', (_, data, expected) => {
    expect(complaints(controllerRevision, { data, revision: 1 })).toBe(expected);
  });

  it('has a number from 0 on, which may change while its data may not', () => {
    expect(complaints(controllerRevision, { data: {}, revision: -1 })).toBe(
      'revision: Invalid value: -1: must be greater than or equal to 0',
    );
    const old = created(controllerRevision, { data: { a: 1 }, revision: 1 });
    expect(changeComplaints(controllerRevision, old, { revision: 2 })).toBe('');
    expect(changeComplaints(controllerRevision, old, { data: { a: 2 } })).toBe(
      'data: Invalid value: {"a":2}: field is immutable',
    );
  });

  it('shows its controller', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true };
    const object = created(controllerRevision, { data: {}, revision: 3 }, { ownerReferences: [owner] });
    expect(controllerRevision.columns.cells(object, 0)).toEqual(['a', 'statefulset.apps/s', 3, '<unknown>']);
  });
});
