import { KIND_TABLE } from '@listwatch/kinds/data';
import { KIND_RULES } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { namespaceRoot, storageRoot } from '../stored/object-folder.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { configMap, event } from './built-in-definitions.fixture.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { createRegistry } from './resource-registry.ts';

const registry = createRegistry();
/** The table without those that are only created, and without autoscaling/v1, which shares its objects with v2. */
const STORED_KINDS = KIND_TABLE.filter(({ verbs }) => verbs.includes('get')).length - 1;

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
    ['', 'endpoints', 'Endpoints', '/registry/services/endpoints/'],
    ['', 'replicationcontrollers', 'ReplicationController', '/registry/controllers/'],
    ['networking.k8s.io', 'ingresses', 'Ingress', '/registry/ingress/'],
    ['rbac.authorization.k8s.io', 'roles', 'Role', '/registry/roles/'],
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
    '/registry/services/bogus/a/b',
  ])('knows no kind for the key %s', (key) => {
    expect(registry.findByKey(key)).toBeUndefined();
  });

  it('lists every kind once, in the order of group and plural', () => {
    const paths = [...registry].map(({ resource }) => `${resource.group}/${resource.plural}`);
    expect(paths).toEqual(paths.toSorted());
    expect(new Set(paths).size).toBe(STORED_KINDS);
  });

  it('refuses two kinds with the same path or the same keys', () => {
    const other = { ...configMap, resource: { ...configMap.resource, plural: 'other', kind: 'Other' } };
    expect(() => createRegistry([configMap, configMap])).toThrow('ConfigMap and ConfigMap both claim v1/configmaps');
    expect(() => createRegistry([configMap, other])).toThrow(TypeError);
  });

  it('has a cell for each column of each kind', () => {
    for (const definition of registry) {
      const object = definition.strategy.prepareForCreate({ kind: 'X', apiVersion: 'v1', metadata: { name: 'a' } }, 0);
      // Kubernetes has no column for the age of an IPAddress, but a cell.
      const more = definition.resource.kind === 'IPAddress' ? 1 : 0;
      expect(definition.columns.cells(object, 0)).toHaveLength(definition.columns.definitions.length + more);
    }
  });
});

describe('keys', () => {
  it('hold the namespace and the name', () => {
    expect(storedObjectKey(configMap, { namespace: 'n', name: 'a' })).toBe('/registry/configmaps/n/a');
    expect(storedObjectKey(configMap, { namespace: '', name: 'a' })).toBe('/registry/configmaps/a');
    expect([namespaceRoot(configMap, 'n'), namespaceRoot(configMap, '')]).toEqual([
      '/registry/configmaps/n/',
      '/registry/configmaps/',
    ]);
  });
});

describe('what is decided by kind', () => {
  const rules = [...registry].filter(({ data }) => Object.hasOwn(KIND_RULES, data.type));
  const kindsThat = (is: (definition: ResourceDefinition) => boolean): readonly string[] =>
    [...registry].filter(is).map(({ resource }) => resource.kind);

  it('there are rules for kinds that exist only', () => {
    expect(rules.map(({ data }) => data.type).toSorted()).toEqual(Object.keys(KIND_RULES).toSorted());
  });

  it.each(['Lease', 'Event', 'Service'])('a PUT of a %s that does not exist creates it', (kind) => {
    expect(kindsThat(({ strategy }) => strategy.allowsCreateOnUpdate)).toContain(kind);
  });

  it('a PUT of a Lease without a version is refused', () => {
    expect(kindsThat(({ strategy }) => !strategy.allowsUnconditionalUpdate)).toContain('Lease');
  });

  it.each(['Namespace', 'Pod', 'PodTemplate', 'Service', 'ServiceAccount', 'StorageClass'])(
    'a DELETE of a %s answers with the object',
    (kind) => {
      expect(kindsThat(({ strategy }) => strategy.returnsDeletedObject)).toContain(kind);
    },
  );

  it.each([
    ['Deployment', true],
    ['Ingress', true],
    ['Pod', true],
    ['PodTemplate', true],
    ['ConfigMap', false],
    ['HorizontalPodAutoscaler', false],
    ['Node', false],
    ['Service', false],
  ])('a %s has a generation: %s', (kind, expected) => {
    expect(kindsThat(({ strategy }) => strategy.raisesGeneration !== undefined).includes(kind)).toBe(expected);
  });

  it('there is a status of its own where the data says so', () => {
    for (const { data, strategy, subresources } of registry) {
      expect('status' in subresources).toBe('status' in data.subresources);
      expect(strategy.prepareForStatusUpdate !== undefined).toBe('status' in subresources);
    }
  });
});
