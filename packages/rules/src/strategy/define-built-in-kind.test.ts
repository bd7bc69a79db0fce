import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { TypeName } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../kube-object.ts';
import { builtInKind } from './built-in-definitions.fixture.ts';
import { defineBuiltInKind } from './define-built-in-kind.ts';
import { created, sent } from './kind.fixture.ts';
import type { KindDefinition } from './kind-definition.ts';
import type { KindRules } from './kind-rules.ts';

const ingress = withoutRules('networking/v1.Ingress');
const claim = withoutRules('core/v1.PersistentVolumeClaim');
const range = withoutRules('core/v1.LimitRange');

function withoutRules(type: TypeName): KindDefinition {
  return defineBuiltInKind(builtInKind(type).data);
}

describe('a kind without rules', () => {
  it('loses its status on creation, and keeps it on an update', () => {
    const old = { ...created(ingress, { spec: { ingressClassName: 'a' } }), status: { loadBalancer: { ingress: [] } } };
    expect(created(ingress, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } })['status']).toEqual({
      loadBalancer: {},
    });
    const changed = ingress.strategy.prepareForUpdate({ ...old, status: { loadBalancer: 5 }, spec: {} }, old, 0);
    expect([changed['status'], changed['spec']]).toEqual([{ loadBalancer: {} }, {}]);
  });

  it('keeps all but the status and metadata on an update of the status', () => {
    const old = created(claim, { spec: { volumeName: 'a' } });
    const asked = { ...old, spec: {}, status: { phase: 'Bound' }, metadata: { ...old.metadata, labels: { a: 'b' } } };
    expect(claim.strategy.prepareForStatusUpdate?.(asked, old, 0)).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { volumeName: 'a' },
      status: { phase: 'Bound' },
    });
    const { status: _status, ...without } = asked;
    expect(claim.strategy.prepareForStatusUpdate?.(without, old, 0)?.['status']).toEqual({});
  });

  it('raises its generation when more changes than metadata and status', () => {
    const old = created(ingress);
    const raises = (fields: object): boolean | undefined =>
      ingress.strategy.raisesGeneration?.({ ...old, ...fields }, old);
    expect(raises({ status: { loadBalancer: { ingress: [{ ip: 'x' }] } } })).toBe(false);
    expect(raises({ metadata: { ...old.metadata, labels: { a: 'b' } } })).toBe(false);
    expect(raises({ spec: { ingressClassName: 'b' } })).toBe(true);
  });

  it('shows its name and its age', () => {
    const { definitions, cells } = range.columns;
    expect(definitions.map(({ name }) => name)).toEqual(['Name', 'Age']);
    const made = sent(range, {}, { creationTimestamp: '1970-01-01T00:00:00Z' });
    expect(cells(made, 5000)).toEqual(['a', '5s']);
  });

  it('is selected by the fields of its data', () => {
    const csr = withoutRules('certificates/v1.CertificateSigningRequest');
    expect(csr.fieldsOf(sent(csr, { spec: { signerName: 'x.io/y' } }))).toEqual({ 'spec.signerName': 'x.io/y' });
    expect(csr.fieldsOf(sent(csr))).toEqual({ 'spec.signerName': '' });
    expect(csr.resolveField('spec.signerName', 'v')).toEqual({ field: 'spec.signerName', value: 'v' });
    expect(() => csr.resolveField('spec.bogus', 'v')).toThrow('field label not supported: spec.bogus');
    expect(() => ingress.resolveField('spec.bogus', 'v')).toThrow('is not a known field selector');
  });

  it('has the defaults of its data, and rules add to them', () => {
    const { data } = builtInKind('core/v1.PersistentVolume');
    const spec = { cephfs: { monitors: ['a'] }, rbd: { monitors: ['a'], image: 'i' } };
    const rules: KindRules = { applyDefaults: (object) => ({ ...object, status: { phase: textOf(object['kind']) } }) };
    expect(created(defineBuiltInKind(data), { spec })).toMatchObject({ spec: { rbd: { pool: 'rbd', user: 'admin' } } });
    const ruled = defineBuiltInKind(data, { ...rules, onCreate: (object) => object });
    expect(created(ruled, { spec })).toMatchObject({
      spec: { rbd: { keyring: '/etc/ceph/keyring' } },
      status: { phase: 'PersistentVolume' },
    });
  });
});

function pullPolicies(object: KubeObject): readonly unknown[] {
  return recordsOf(recordOf(object['spec'])['containers']).map((container) => container['imagePullPolicy']);
}

describe('an object that admission has changed', () => {
  const pod = builtInKind('core/v1.Pod');
  const { strategy } = pod;
  const containers = [{ name: 'c', image: 'i:1', ports: [{ containerPort: 80 }] }];

  it('shares its unchanged parts with the object before, in the order of the kind', () => {
    const before = strategy.withDefaults(strategy.canonical(sent(pod, { spec: { containers } })), 0);
    const spec = { priority: 5, ...recordOf(before['spec']) };
    const after = strategy.canonical({ ...before, spec }, before);
    expect(after).toEqual({ ...before, spec });
    expect(Object.keys(recordOf(after['spec'])).slice(-2)).toEqual(['priority', 'enableServiceLinks']);
    expect(recordOf(after['spec'])['containers']).toBe(recordOf(before['spec'])['containers']);
  });

  it('gets no defaults for what admission has added, unless the object before had none either', () => {
    const before = strategy.withDefaults(strategy.canonical(sent(pod, { spec: { containers } })), 0);
    const added = [...recordsOf(recordOf(before['spec'])['containers']), { name: 'd', image: 'j:1' }];
    const changed = { ...before, spec: { ...recordOf(before['spec']), containers: added } };
    const prepared = strategy.prepareForCreate(strategy.canonical(changed, before), 0);
    expect(pullPolicies(prepared)).toEqual(['IfNotPresent', undefined]);
    expect(pullPolicies(strategy.prepareForCreate(strategy.canonical(changed), 0))).toEqual([
      'IfNotPresent',
      'IfNotPresent',
    ]);
  });
});
