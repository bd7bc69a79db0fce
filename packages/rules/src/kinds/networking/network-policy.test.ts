import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const networkPolicy = builtInKind('networking/v1.NetworkPolicy');
const from = (peer: object): object => ({ podSelector: {}, ingress: [{ from: [peer] }] });
const port = (fields: object): object => ({ podSelector: {}, ingress: [{ ports: [fields] }] });

describe('a NetworkPolicy', () => {
  it.each([
    [{}, ''],
    [from({ podSelector: {}, namespaceSelector: {} }), ''],
    [port({ port: 80, endPort: 90 }), ''],
    [from({}), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
    [
      from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
      'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [from({ ipBlock: { cidr: '' } }), 'spec.ingress[0].from[0].ipBlock.cidr: Required value'],
    [
      from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
    [
      port({ port: 80, endPort: 79 }),
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
    ],
    [
      port({ port: 'http', endPort: 3 }),
      'spec.ingress[0].ports[0].endPort: Invalid value: 3: may not be specified when `port` is non-numeric',
    ],
    [
      port({ endPort: 3 }),
      'spec.ingress[0].ports[0].endPort: Invalid value: 3: may not be specified when `port` is not specified',
    ],
    [
      port({ protocol: 'X' }),
      'spec.ingress[0].ports[0].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"',
    ],
    [{ policyTypes: ['X'] }, 'spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"'],
    [
      { policyTypes: ['Ingress', 'Egress', 'Ingress'] },
      'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
    ],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(networkPolicy, { spec })).toBe(expected);
  });

  it('is about TCP, and about ingress; about egress, too, if it has such rules', () => {
    expect(created(networkPolicy, { spec: port({ port: 80 }) })['spec']).toEqual({
      podSelector: {},
      ingress: [{ ports: [{ protocol: 'TCP', port: 80 }] }],
      policyTypes: ['Ingress'],
    });
    expect(created(networkPolicy, { spec: { egress: [{}] } })).toMatchObject({
      spec: { policyTypes: ['Ingress', 'Egress'] },
    });
  });

  it('may keep a range that is wrong, and not get a new one', () => {
    const wrong = from({ ipBlock: { cidr: '10.0.0.1/8' } });
    const old = created(networkPolicy, { spec: wrong });
    expect(changeComplaints(networkPolicy, old, { spec: { ...wrong, policyTypes: ['Egress'] } })).toBe('');
    expect(changeComplaints(networkPolicy, old, { spec: from({ ipBlock: { cidr: '10.0.0.2/8' } }) })).toBe(
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.2/8": must not have bits set beyond the prefix length',
    );
  });

  it('shows the pods that it is about', () => {
    const object = created(networkPolicy, { spec: { podSelector: { matchLabels: { a: 'b' } } } });
    expect(networkPolicy.columns.cells(object, 0)).toEqual(['a', 'a=b', '<unknown>']);
  });
});
