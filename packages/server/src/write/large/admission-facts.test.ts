import type { KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { AdmissionFacts } from './admission-facts.ts';

const object = (namespace: string | undefined, spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'K',
  metadata: { name: 'o', ...(namespace === undefined ? {} : { namespace }) },
  spec,
});
const named = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'K', metadata: { name } });

describe('the facts that admission needs of a large object', () => {
  it.each([
    ['apps/v1.Deployment', [], [{ type: 'core/v1.Namespace', namespace: '', name: 'x' }]],
    [
      'core/v1.Pod',
      [
        { type: 'core/v1.LimitRange', namespace: 'x' },
        { type: 'scheduling/v1.PriorityClass', namespace: '' },
        { type: 'node/v1.RuntimeClass', namespace: '' },
      ],
      [
        { type: 'core/v1.Namespace', namespace: '', name: 'x' },
        { type: 'core/v1.Node', namespace: '', name: 'n' },
      ],
    ],
    [
      'core/v1.PersistentVolumeClaim',
      [
        { type: 'core/v1.LimitRange', namespace: 'x' },
        { type: 'storage/v1.StorageClass', namespace: '' },
      ],
      [],
    ],
    ['networking/v1.Ingress', [{ type: 'networking/v1.IngressClass', namespace: '' }], []],
  ] as const)('of %s are asked for once', (type, lists, objects) => {
    const facts = new AdmissionFacts();
    const asked = object('x', { nodeName: 'n' });
    expect(facts.wanted(type, asked)).toEqual({ type: 'cached', lists, objects });
    expect(facts.wanted(type, asked)).toBeUndefined();
  });

  it('are none for a kind whose plugins read nothing', () => {
    expect(new AdmissionFacts().wanted('core/v1.ConfigMap', object('x'))).toBeUndefined();
  });

  it('name nothing where the object names nothing', () => {
    const { objects } = new AdmissionFacts().wanted('core/v1.Pod', object(undefined)) ?? {};
    expect(objects?.map(({ name }) => name)).toEqual(['', '']);
  });

  it('are read as they were answered; what was not asked for is an error, and not a missing object', () => {
    const facts = new AdmissionFacts();
    const question = facts.wanted('core/v1.Pod', object('x', { nodeName: 'n' }));
    if (question === undefined) return expect.unreachable();
    const found = {
      lists: [[named('limits')], [named('high'), named('low')], []],
      objects: [named('x'), null],
    };
    facts.add(question, Buffer.from(JSON.stringify(found)));
    const names = (type: Parameters<AdmissionFacts['reader']>[0]): readonly unknown[] =>
      facts
        .reader(type)
        .list('x')
        .map(({ metadata }) => metadata.name);
    expect(names('core/v1.LimitRange')).toEqual(['limits']);
    expect(names('scheduling/v1.PriorityClass')).toEqual(['high', 'low']);
    expect(names('node/v1.RuntimeClass')).toEqual([]);
    expect(facts.lookup('core/v1.Namespace')('', 'x')).toEqual(named('x'));
    expect(facts.lookup('core/v1.Node')('', 'n')).toBeUndefined();
    expect(facts.reader('scheduling/v1.PriorityClass').get('', 'low')).toEqual(named('low'));
    expect(facts.lookup('scheduling/v1.PriorityClass')('', 'none')).toBeUndefined();
    expect(() => facts.lookup('core/v1.Node')('', 'other')).toThrow('reads the core/v1.Node other, not asked for');
    expect(() => facts.reader('core/v1.Secret').list('x')).toThrow('reads core/v1.Secret, which was not asked for');
    expect(() => facts.lookup('core/v1.Secret')('x', 's')).toThrow('reads core/v1.Secret, which was not asked for');
  });
});
