import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const csr = builtInKind('certificates/v1.CertificateSigningRequest');
const pem = (type: string): string => btoa(`-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`);
const spec = { request: pem('CERTIFICATE REQUEST'), signerName: 'example.com/s', usages: ['client auth'] };
const stored = (status: object): ReturnType<typeof created> => ({ ...created(csr, { spec }), status });
const said = (type: string, status = 'True'): object => ({ type, status, reason: 'r' });

describe('a CertificateSigningRequest', () => {
  it.each([
    [{}, ''],
    [{ request: 'YQ==' }, 'spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST'],
    [{ request: undefined }, 'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST'],
    [{ usages: [] }, 'spec.usages: Required value'],
    [{ usages: ['any', 'any'] }, 'spec.usages[1]: Duplicate value: "any"'],
    [{ signerName: '' }, 'spec.signerName: Required value'],
    [
      { signerName: 'x' },
      `spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
    [
      { signerName: 'a/b' },
      'spec.signerName: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ],
    [
      { signerName: 'kubernetes.io/legacy-unknown' },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    [
      { expirationSeconds: 1 },
      'spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(csr, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('does not believe who it says asks, nor that it is approved', () => {
    const claims = { username: 'root', uid: '0', groups: ['system:masters'], extra: { a: ['b'] } };
    expect(created(csr, { spec: { ...spec, ...claims }, status: { conditions: [said('Approved')] } })).toMatchObject({
      spec,
      status: {},
    });
    expect(created(csr, { spec: { ...spec, ...claims } })['spec']).toEqual(spec);
  });

  it('keeps its spec and its status in an update', () => {
    const old = stored({ conditions: [said('Approved')] });
    const wish = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } }, spec: { usages: ['any'] }, status: {} };
    expect(csr.strategy.prepareForUpdate(wish, old, 0)).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec,
      status: { conditions: [{ type: 'Approved' }] },
    });
  });

  it('is not approved by /status', () => {
    const old = stored({});
    const wish = { ...old, status: { conditions: [said('Approved')] } };
    expect(() => csr.strategy.prepareForStatusUpdate?.(wish, old, 0)).toThrow(
      'CertificateSigningRequest.certificates.k8s.io "a" is invalid: status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    );
  });

  it('gets a time for what is said of it, and keeps what was said by those who approve', () => {
    const approved = {
      ...said('Approved'),
      lastUpdateTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const old = stored({ conditions: [approved] });
    const wish = { ...old, status: { conditions: [{ ...approved, reason: 'other' }, said('Failed')] } };
    const status = csr.strategy.prepareForStatusUpdate?.(wish, old, 0)['status'];
    expect(status).toMatchObject({
      conditions: [approved, { type: 'Failed', lastUpdateTime: expect.stringMatching(/^\d{4}-.*Z$/) }],
    });
  });

  it.each([
    [[said('Failed', 'False')], 'status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    [
      [said('X', 'Y')],
      'status.conditions[0].status: Unsupported value: "Y": supported values: "False", "True", "Unknown"',
    ],
    [[said('', '')], '[status.conditions[0].type: Required value, status.conditions[0].status: Required value]'],
    [
      [said('Approved'), said('Denied')],
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ],
  ])('of which %j is said is validated', (conditions, expected) => {
    const object = stored({ conditions });
    const { errors } = csr.strategy.validate(object, stored({}), 'status');
    expect(errors.map(({ field }) => field)).toEqual(expected.match(/status\.conditions[^:]*(?=: [A-Z])/g));
    expect(expected).toContain(errors[0]?.detail ?? '?');
  });

  it('keeps what was said, and its certificate', () => {
    const certificate = pem('CERTIFICATE');
    const old = stored({ conditions: [said('Failed')], certificate });
    expect(csr.strategy.validate(old, old, 'status').errors).toEqual([]);
    const { errors } = csr.strategy.validate(stored({ certificate: 'YQ==' }), old, 'status');
    expect(errors.map(({ detail }) => detail)).toEqual([
      'updates may not remove a condition of type "Failed"',
      'updates may not modify existing certificate content',
      'must contain at least one CERTIFICATE PEM block',
    ]);
  });

  it('may have any name, and shows how far it is', () => {
    expect(csr.strategy.checkName('a:b', false)).toEqual([]);
    const show = (status: object): unknown => csr.columns.cells(stored(status), 0).at(-1);
    expect(show({})).toBe('Pending');
    expect(show({ conditions: [said('Approved')], certificate: pem('CERTIFICATE') })).toBe('Approved,Issued');
    expect(show({ conditions: [said('Denied'), said('Failed')] })).toBe('Denied,Failed');
  });
});
