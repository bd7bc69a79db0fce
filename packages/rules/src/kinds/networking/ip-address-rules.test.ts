import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const ipAddress = builtInKind('networking/v1.IPAddress');
const parentRef = { resource: 'services', name: 's', namespace: 'n' };

describe('an IPAddress', () => {
  it('is called after the address', () => {
    const { checkName } = ipAddress.strategy;
    expect(checkName('10.0.0.1', false)).toEqual([]);
    expect(checkName('2001:DB8::1', false)).toEqual(['must be in canonical form ("2001:db8::1")']);
    expect(checkName('x', false)).toEqual(['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']);
  });

  it.each([
    [{ parentRef }, ''],
    [{}, 'spec.parentRef: Required value'],
    [{ parentRef: { ...parentRef, name: '' } }, 'spec.parentRef.name: Required value'],
    [
      { parentRef: { ...parentRef, resource: 'a/b' } },
      `spec.parentRef.resource: Invalid value: "a/b": may not contain '/'`,
    ],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(ipAddress, { spec })).toBe(expected);
  });

  it('stays with its parent', () => {
    const old = created(ipAddress, { spec: { parentRef } });
    expect(changeComplaints(ipAddress, old, { spec: { parentRef: { ...parentRef, name: 't' } } })).toBe(
      'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"n","Name":"t"}: field is immutable',
    );
  });

  it('shows its parent', () => {
    const show = (parent: object): unknown =>
      ipAddress.columns.cells(created(ipAddress, { spec: { parentRef: parent } }), 0)[1];
    expect(show(parentRef)).toBe('services/n/s');
    expect(show({ group: 'g.h', resource: 'Things', name: 'x' })).toBe('things.g.h/x');
    expect(ipAddress.columns.cells(created(ipAddress, {}), 0)[1]).toBe('<none>');
  });
});
