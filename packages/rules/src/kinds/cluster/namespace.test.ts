import { describe, expect, it } from 'vitest';
import { namespace } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const { strategy } = namespace;

describe('a Namespace', () => {
  it('is active, bears its name as a label and waits to be emptied', () => {
    expect(created(namespace, { status: { phase: 'Terminating' } }, { labels: { x: 'y' } })).toMatchObject({
      metadata: { labels: { x: 'y', 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('keeps finalizers of its own', () => {
    const spec = { finalizers: ['example.com/x', 'kubernetes'] };
    expect(created(namespace, { spec })).toMatchObject({ spec });
  });

  it('cannot lose its label', () => {
    const old = created(namespace);
    const changed = strategy.prepareForUpdate({ ...old, metadata: { name: 'a' } }, old, 0);
    expect(changed.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'a' });
  });

  it('loses its finalizers through /finalize only, its status changes through /status only', () => {
    const old = created(namespace);
    const wish = { ...old, spec: {}, status: { phase: 'Terminating' } };
    expect(strategy.prepareForUpdate(wish, old, 0)).toMatchObject({ spec: old['spec'], status: old['status'] });
    expect(strategy.prepareForFinalize?.(wish, old, 0)).toMatchObject({ spec: {}, status: old['status'] });
    expect(strategy.prepareForFinalize?.(wish, old, 0)['spec']).toEqual({});
    expect(strategy.prepareForStatusUpdate?.(wish, old, 0)).toMatchObject({ spec: old['spec'], status: wish.status });
  });

  it('stays while it has finalizers in its spec', () => {
    const object = created(namespace);
    expect(strategy.holdsDeletion?.(object)).toBe(true);
    expect(strategy.holdsDeletion?.({ ...object, spec: {} })).toBe(false);
  });

  it('is terminating once its deletion has begun', () => {
    expect(strategy.markDeleting?.(created(namespace))).toMatchObject({ status: { phase: 'Terminating' } });
  });

  it.each([
    ['default', 'this namespace may not be deleted'],
    ['kube-system', 'this namespace may not be deleted'],
    ['kube-public', 'this namespace may not be deleted'],
    ['kube-node-lease', undefined],
    ['mine', undefined],
  ])('called %s is refused a deletion: %s', (name, why) => {
    expect(strategy.refusesDeletion?.(name)).toBe(why);
  });

  it('is active exactly until it is deleted', () => {
    const old = created(namespace);
    const validate = (phase: string, stored: typeof old): readonly string[] =>
      strategy
        .validate({ ...stored, status: { phase } }, stored, 'status')
        .errors.map(({ field, detail }) => `${field} ${detail}`);
    expect(validate('Active', old)).toEqual([]);
    expect(validate('Terminating', old)).toEqual(["status.Phase may only be 'Active' if `deletionTimestamp` is empty"]);
    const deleting = { ...old, metadata: { ...old.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
    expect(validate('Terminating', deleting)).toEqual([]);
    expect(validate('Active', deleting)).toEqual([
      "status.Phase may only be 'Terminating' if `deletionTimestamp` is not empty",
    ]);
  });

  it('checks its finalizers', () => {
    expect(complaints(namespace, { spec: { finalizers: ['mine'] } })).toBe(
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    );
    expect(changeComplaints(namespace, created(namespace), { metadata: { name: 'a' } })).toBe('');
  });

  it('has the name of a DNS label', () => {
    expect(strategy.checkName('a.b', false)).toEqual(['must not contain dots']);
    expect(strategy.checkName('my-', true)).toEqual([]);
  });

  it('cannot be deleted by the collection', () => {
    expect(namespace.verbs).not.toContain('deletecollection');
  });
});
