import { fieldErrorText, fieldInvalid } from '@listwatch/api';
import { NO_FINDINGS } from '@listwatch/schema';
import { describe, expect, it, vi } from 'vitest';
import type { KubeObject } from '../kube-object.ts';
import { configMap, customResourceDefinition, pod } from '../strategy/built-in-definitions.fixture.ts';
import { created } from '../strategy/kind.fixture.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import { objectFindings, type ReadyObject } from './object-findings.ts';

const OLD_OS = { 'beta.kubernetes.io/os': 'linux' };
const WARNING = 'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';
const OWNER_ERROR = fieldInvalid('metadata.managedFields', 'x', 'is wrong');

interface Shown {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

function podWith(spec: object = {}, metadata: object = {}): KubeObject {
  return created(
    pod,
    { spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: OLD_OS, ...spec } },
    { ...metadata },
  );
}

function findingsOf(definition: KindDefinition, ready: ReadyObject): Shown {
  const { errors, warnings } = objectFindings(definition, ready);
  return { errors: errors.map(fieldErrorText), warnings };
}

describe('the findings about an object', () => {
  it('without errors are its warnings', () => {
    expect(findingsOf(pod, { object: podWith() })).toEqual({ errors: [], warnings: [WARNING] });
  });

  it('that has none are one shared constant: a valid write makes no lists', () => {
    const object = created(configMap, { data: { a: 'b' } });
    expect(objectFindings(configMap, { object })).toBe(NO_FINDINGS);
    expect(objectFindings(configMap, { object, old: object })).toBe(NO_FINDINGS);
  });

  it('are errors of metadata, then of owners, then of the kind, and no warning', () => {
    const object = podWith({ restartPolicy: 'x' }, { labels: { a: '-' } });
    const { errors, warnings } = objectFindings(pod, { object, ownerErrors: [OWNER_ERROR] });
    expect(errors.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'metadata.managedFields',
      'spec.restartPolicy',
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['of its metadata', { object: podWith({}, { labels: { a: '-' } }) }],
    ['of its owners', { object: podWith(), ownerErrors: [OWNER_ERROR] }],
    ['of its kind', { object: podWith({ restartPolicy: 'x' }) }],
  ])('with errors %s have no warning about a valid object', (_, ready) => {
    const { errors, warnings } = objectFindings(pod, ready);
    expect(errors).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('that validation itself warns about are shown with errors, too', () => {
    const validate = vi.fn(() => ({ errors: [], warnings: ['unchanged'] }));
    const custom = { ...configMap, strategy: { ...configMap.strategy, validate } };
    const object = created(configMap, {}, { labels: { a: '-' } });
    const { errors, warnings } = objectFindings(custom, { object, subresource: 'status' });
    expect([errors.length, warnings]).toEqual([1, ['unchanged']]);
    expect(validate).toHaveBeenCalledWith(object, undefined, 'status', true);
  });

  it('of a subresource are those of its own rules, without warnings', () => {
    const old = podWith();
    const object = podWith({ nodeSelector: { a: 'b', ...OLD_OS } });
    const change = { object, old };
    expect(findingsOf(pod, change).errors).toEqual([expect.stringContaining('pod updates may not change fields')]);
    expect(findingsOf(pod, { ...change, subresource: 'ephemeralcontainers' })).toEqual({ errors: [], warnings: [] });
    expect(findingsOf(pod, { ...change, subresource: 'constructor' }).errors).toHaveLength(1);
  });
});

function having(...finalizers: readonly string[]): KubeObject {
  return created(configMap, {}, { finalizers });
}

describe('a finalizer without a domain', () => {
  const custom: KindDefinition = { ...configMap, strategy: { ...configMap.strategy, plainFinalizers: 'warned' } };
  const why = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  const warning = (name: string): string => `metadata.finalizers: "${name}": ${why}`;

  it('is warned about once, in the order of names, where the kind takes it', () => {
    const { errors, warnings } = findingsOf(custom, { object: having('z', 'a', 'a.b/c', 'orphan', 'z') });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([warning('a'), warning('z')]);
    expect(findingsOf(configMap, { object: having('z') }).warnings).toEqual([]);
  });

  it('is not warned about again in an update', () => {
    const old = having('z');
    expect(objectFindings(custom, { object: old, old })).toBe(NO_FINDINGS);
    expect(findingsOf(custom, { object: having('z', 'a'), old }).warnings).toEqual([warning('a')]);
  });
});

function formatted(more: object = {}): KubeObject {
  const properties = { a: { type: 'string', format: 'zzz' }, ...more };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return created(
    customResourceDefinition,
    {
      spec: {
        group: 'b.c',
        scope: 'Cluster',
        names: { plural: 'as', kind: 'A' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
    { name: 'as.b.c' },
  );
}

describe('a definition with an unknown format', () => {
  it('gets a warning if it is valid', () => {
    expect(findingsOf(customResourceDefinition, { object: formatted() })).toEqual({
      errors: [],
      warnings: ['unrecognized format "zzz"'],
    });
    const change = { object: formatted(), old: formatted() };
    expect(objectFindings(customResourceDefinition, change)).toBe(NO_FINDINGS);
  });

  it('gets none with an error, as in Kubernetes', () => {
    const { errors, warnings } = findingsOf(customResourceDefinition, { object: formatted({ b: {} }) });
    expect(errors).toEqual([expect.stringContaining('properties[b].type: Required value')]);
    expect(warnings).toEqual([]);
  });

  it('is not validated by a write of its status', () => {
    const change = { object: formatted({ b: {} }), old: formatted(), subresource: 'status' };
    expect(findingsOf(customResourceDefinition, change)).toEqual({ errors: [], warnings: [] });
  });
});
