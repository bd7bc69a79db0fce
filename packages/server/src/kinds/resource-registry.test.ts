import { describe, expect, it } from 'vitest';
import { configMap } from './built-in/config-map.ts';
import { event } from './built-in/event.ts';
import { createRegistry, namespaceRoot, objectKey, storageRoot } from './resource-registry.ts';

const registry = createRegistry();

describe('a registry', () => {
  it.each([
    ['', 'configmaps', 'ConfigMap', '/registry/configmaps/'],
    ['', 'events', 'Event', '/registry/events/'],
    ['', 'namespaces', 'Namespace', '/registry/namespaces/'],
    ['', 'nodes', 'Node', '/registry/minions/'],
    ['', 'pods', 'Pod', '/registry/pods/'],
    ['', 'podtemplates', 'PodTemplate', '/registry/podtemplates/'],
    ['', 'secrets', 'Secret', '/registry/secrets/'],
    ['', 'serviceaccounts', 'ServiceAccount', '/registry/serviceaccounts/'],
    ['', 'services', 'Service', '/registry/services/specs/'],
    ['apps', 'deployments', 'Deployment', '/registry/deployments/'],
    ['coordination.k8s.io', 'leases', 'Lease', '/registry/leases/'],
    ['events.k8s.io', 'events', 'Event', '/registry/events/'],
  ])('finds %s %s by its path and by its keys', (group, plural, kind, root) => {
    const definition = registry.find(group, 'v1', plural);
    expect(definition?.resource.kind).toBe(kind);
    expect(definition && storageRoot(definition)).toBe(root);
    const found = kind === 'Event' ? event : definition;
    expect(registry.findByKey(`${root}ns/name`)).toBe(found);
    expect(registry.findByKey(`${root}name`)).toBe(found);
  });

  it.each([
    ['apps', 'v1', 'configmaps'],
    ['', 'v2', 'configmaps'],
    ['', 'v1', 'bogus'],
    ['', 'v1', 'constructor'],
  ])('does not find %s %s %s', (group, version, plural) => {
    expect(registry.find(group, version, plural)).toBeUndefined();
  });

  it.each([
    '/registry/bogus/a',
    '/other/configmaps/a',
    'configmaps/a',
    '',
    '/registry/',
    '/registry/services/other/a/b',
  ])('knows no kind for the key %s', (key) => {
    expect(registry.findByKey(key)).toBeUndefined();
  });

  it('lists every kind once, in the order of group and plural', () => {
    const paths = [...registry].map(({ resource }) => `${resource.group}/${resource.plural}`);
    expect(paths).toEqual(paths.toSorted());
    expect(new Set(paths).size).toBe(14);
  });

  it('refuses two kinds with the same path or the same keys', () => {
    const other = { ...configMap, resource: { ...configMap.resource, plural: 'other', kind: 'Other' } };
    expect(() => createRegistry([configMap, configMap])).toThrow('ConfigMap and ConfigMap both claim v1/configmaps');
    expect(() => createRegistry([configMap, other])).toThrow(TypeError);
  });

  it('has a cell for each column of each kind', () => {
    for (const definition of registry) {
      const object = definition.strategy.prepareForCreate({ kind: 'X', apiVersion: 'v1', metadata: { name: 'a' } });
      expect(definition.columns.cells(object, 0)).toHaveLength(definition.columns.definitions.length);
    }
  });
});

describe('keys', () => {
  it('hold the namespace and the name', () => {
    expect(objectKey(configMap, 'n', 'a')).toBe('/registry/configmaps/n/a');
    expect(objectKey(configMap, '', 'a')).toBe('/registry/configmaps/a');
    expect([namespaceRoot(configMap, 'n'), namespaceRoot(configMap, '')]).toEqual([
      '/registry/configmaps/n/',
      '/registry/configmaps/',
    ]);
  });
});

describe('what is decided by kind', () => {
  it.each([
    [
      'a PUT of what does not exist creates',
      'allowsCreateOnUpdate',
      ['Endpoints', 'Lease', 'Event', 'Event', 'Service'],
    ],
    ['a PUT without a version is refused', 'refusesBlind', ['Lease']],
    [
      'a DELETE answers with the object',
      'returnsDeletedObject',
      ['Namespace', 'Pod', 'PodTemplate', 'Service', 'ServiceAccount'],
    ],
    ['there is a generation', 'generation', ['Deployment', 'EndpointSlice', 'Pod', 'PodTemplate']],
    ['there is a status of its own', 'status', ['Deployment', 'Namespace', 'Node', 'Pod', 'Service']],
  ])('%s', (_, question, expected) => {
    const kinds = [...registry].filter(({ strategy, subresources }) => {
      if (question === 'refusesBlind') return !strategy.allowsUnconditionalUpdate;
      if (question === 'generation') return strategy.raisesGeneration !== undefined;
      if (question === 'status') {
        expect(strategy.prepareForStatusUpdate !== undefined).toBe('status' in subresources);
        return 'status' in subresources;
      }
      return question === 'returnsDeletedObject' ? strategy.returnsDeletedObject : strategy.allowsCreateOnUpdate;
    });
    expect(kinds.map(({ resource }) => resource.kind).toSorted()).toEqual(expected.toSorted());
  });
});
