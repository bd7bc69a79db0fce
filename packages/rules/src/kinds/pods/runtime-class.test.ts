import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const runtimeClass = builtInKind('node/v1.RuntimeClass');
const toleration = { key: 'k', operator: 'Exists' };

describe('a RuntimeClass', () => {
  it.each([
    [{ handler: 'runc', scheduling: { tolerations: [toleration], nodeSelector: { a: 'b' } } }, ''],
    [{}, 'handler: Required value'],
    [
      { handler: 'h', overhead: { podFixed: { cpu: '-1' } } },
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [
      { handler: 'h', overhead: { podFixed: { foo: '1' } } },
      '[overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers]',
    ],
    [
      { handler: 'h', scheduling: { tolerations: [toleration, toleration] } },
      'scheduling.tolerations[1]: Duplicate value: {"Key":"k","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    ],
  ])('%j is validated', (fields, expected) => {
    expect(complaints(runtimeClass, fields)).toBe(expected);
  });

  it('keeps its handler', () => {
    const old = created(runtimeClass, { handler: 'h' });
    expect(changeComplaints(runtimeClass, old, { handler: 'i' })).toBe(
      'handler: Invalid value: "i": field is immutable',
    );
  });

  it('is made by a PUT, and replaced only by those who know its version', () => {
    expect(runtimeClass.strategy).toMatchObject({ allowsCreateOnUpdate: true, allowsUnconditionalUpdate: false });
    expect(runtimeClass.columns.cells(created(runtimeClass, { handler: 'h' }), 0)[1]).toBe('h');
  });
});
