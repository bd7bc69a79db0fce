import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const ingressClass = builtInKind('networking/v1.IngressClass');
const controller = 'example.com/c';
const withParameters = (fields: object): object => ({ controller, parameters: { kind: 'K', name: 'n', ...fields } });

describe('an IngressClass', () => {
  it.each([
    [{ controller }, ''],
    [withParameters({}), ''],
    [withParameters({ scope: 'Namespace', namespace: 'x' }), ''],
    [{}, 'spec.controller: Required value'],
    [
      { controller: 'nope' },
      'spec.controller: Invalid value: "nope": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [{ controller: `a.b/${'x'.repeat(300)}` }, 'spec.controller: Too long: may not be more than 250 bytes'],
    [
      { controller: 'a/b c' },
      "spec.controller: Invalid value: \"b c\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
    ],
    [
      withParameters({ scope: 'Namespace' }),
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
    [
      withParameters({ namespace: 'x' }),
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ],
    [
      withParameters({ scope: 'X' }),
      'spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"',
    ],
    [withParameters({ kind: 'a/b' }), `spec.parameters.kind: Invalid value: "a/b": may not contain '/'`],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(ingressClass, { spec })).toBe(expected);
  });

  it('has parameters of the cluster unless it says otherwise', () => {
    expect(created(ingressClass, { spec: withParameters({}) })['spec']).toEqual({
      controller,
      parameters: { kind: 'K', name: 'n', scope: 'Cluster' },
    });
  });

  it('keeps its controller', () => {
    const old = created(ingressClass, { spec: { controller } });
    expect(changeComplaints(ingressClass, old, { spec: { controller: 'example.com/d' } })).toBe(
      'spec.controller: Invalid value: "example.com/d": field is immutable',
    );
  });

  it('says whether it is the default', () => {
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    const object = created(ingressClass, { spec: withParameters({ apiGroup: 'g.h' }) }, { annotations });
    expect(ingressClass.columns.cells(object, 0)).toEqual(['a (default)', controller, 'K.g.h/n', '<unknown>']);
    expect(ingressClass.columns.cells(created(ingressClass, { spec: { controller } }), 0)[2]).toBe('<none>');
  });
});
