import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const ingress = builtInKind('networking/v1.Ingress');
const backend = { service: { name: 's', port: { number: 80 } } };
const withPath = (fields: object): object => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fields }] } }],
});
const PATH = 'spec.rules[0].http.paths[0]';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe('an Ingress', () => {
  it.each([
    [{ defaultBackend: backend }, ''],
    [{ rules: [{ host: '*.example.com' }] }, ''],
    [withPath({ path: '', pathType: 'ImplementationSpecific' }), ''],
    [{}, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    [{ rules: [{ host: 'A_b' }] }, `spec.rules[0].host: Invalid value: "A_b": ${SUBDOMAIN}`],
    [
      { rules: [{ host: '1.2.3.4' }] },
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
    [{ rules: [{ http: { paths: [] } }] }, 'spec.rules[0].http.paths: Required value'],
    [withPath({ pathType: undefined }), `${PATH}.pathType: Required value: pathType must be specified`],
    [
      withPath({ pathType: 'X' }),
      `${PATH}.pathType: Unsupported value: "X": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
    ],
    [withPath({ path: 'x' }), `${PATH}.path: Invalid value: "x": must be an absolute path`],
    [withPath({ path: '/a//b' }), `${PATH}.path: Invalid value: "/a//b": must not contain '//'`],
    [withPath({ path: '/a/..' }), `${PATH}.path: Invalid value: "/a/..": cannot end with '/..'`],
    [withPath({ backend: {} }), `${PATH}.backend: Invalid value: "": resource or service backend is required`],
    [
      withPath({ backend: { service: { name: 's', port: {} } } }),
      `${PATH}.backend: Required value: port name or number is required`,
    ],
    [
      withPath({ backend: { service: { name: 's', port: { name: 'p', number: 1 } } } }),
      `${PATH}.backend: Invalid value: "": cannot set both port name & port number`,
    ],
    [
      withPath({ backend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
      `${PATH}.backend: Invalid value: "": cannot set both resource and service backends`,
    ],
    [
      { defaultBackend: backend, tls: [{ secretName: 'A' }] },
      `spec.tls[0].secretName: Invalid value: "A": ${SUBDOMAIN}`,
    ],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(ingress, { spec })).toBe(expected);
  });

  it('refuses a wildcard that is not the first label', () => {
    expect(complaints(ingress, { spec: { rules: [{ host: 'a.*.b' }] } })).toMatch(
      /^spec\.rules\[0\]\.host: Invalid value: "a\.\*\.b": a wildcard DNS-1123 subdomain must start with '\*\.'/,
    );
  });

  it('names one class only when it is new', () => {
    const annotations = { 'kubernetes.io/ingress.class': 'a' };
    const spec = { ingressClassName: 'b', defaultBackend: backend };
    expect(complaints(ingress, { spec }, { annotations })).toBe(
      'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
    );
    const old = created(ingress, { spec }, { annotations });
    expect(ingress.strategy.validate(old, old, '').errors).toEqual([]);
  });

  it('has addresses and names in its status', () => {
    const old = created(ingress, { spec: { defaultBackend: backend } });
    const points = [{ ip: 'x' }, { hostname: '1.2.3.4' }];
    const status = { loadBalancer: { ingress: points } };
    const { errors } = ingress.strategy.validate({ ...old, status }, old, 'status');
    expect(errors.map(({ field, detail }) => [field, detail])).toEqual([
      ['status.loadBalancer.ingress[0].ip', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
      ['status.loadBalancer.ingress[1].hostname', 'must be a DNS name, not an IP address'],
    ]);
  });

  it('shows its class, hosts, addresses and ports', () => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host }));
    const points = [{ hostname: 'z.example' }, { ip: '10.0.0.1' }, { ip: '10.0.0.1' }];
    const spec = { ingressClassName: 'x', rules, tls: [{}] };
    const object = { ...created(ingress, { spec }), status: { loadBalancer: { ingress: points } } };
    expect(ingress.columns.cells(object, 0)).toEqual([
      'a',
      'x',
      'a,b,c + 2 more...',
      '10.0.0.1,z.example',
      '80, 443',
      '<unknown>',
    ]);
    expect(ingress.columns.cells(created(ingress, {}), 0)).toEqual(['a', '<none>', '*', '', '80', '<unknown>']);
  });
});
