import { describe, expect, test } from 'vitest';
import { resource } from '../objects/resource.ts';
import { groupVersionPath, resourcePath } from './resource-path.ts';

const pods = resource({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const nodes = resource({ group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const leases = resource({
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
});
const namespaces = resource({ group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });

describe('paths', () => {
  test.each([
    [pods, {}, '/api/v1/pods'],
    [pods, { namespace: '' }, '/api/v1/pods'],
    [pods, { namespace: 'a' }, '/api/v1/namespaces/a/pods'],
    [pods, { namespace: 'a', name: 'x' }, '/api/v1/namespaces/a/pods/x'],
    [pods, { namespace: 'a', name: 'x', subresource: 'status' }, '/api/v1/namespaces/a/pods/x/status'],
    [pods, { namespace: 'a', name: 'x', subresource: 'proxy/healthz' }, '/api/v1/namespaces/a/pods/x/proxy/healthz'],
    [pods, { namespace: 'a', name: 'x:y é' }, '/api/v1/namespaces/a/pods/x%3Ay%20%C3%A9'],
    [nodes, { name: 'n' }, '/api/v1/nodes/n'],
    [leases, {}, '/apis/coordination.k8s.io/v1/leases'],
    [leases, { namespace: 'a', name: 'x' }, '/apis/coordination.k8s.io/v1/namespaces/a/leases/x'],
    [namespaces, { name: 'a', subresource: 'finalize' }, '/api/v1/namespaces/a/finalize'],
  ])('%j %j', (of, target, path) => {
    expect(resourcePath(of, target)).toBe(path);
  });

  test('a group and version have a path of their own', () => {
    expect(groupVersionPath(pods)).toBe('/api/v1');
    expect(groupVersionPath(leases)).toBe('/apis/coordination.k8s.io/v1');
  });
});

describe('what no path can say is misuse', () => {
  test.each([
    [pods, { name: 'x' }, 'pods x needs a namespace'],
    [nodes, { namespace: 'a' }, 'nodes have no namespace, not even a'],
    [pods, { namespace: 'a', subresource: 'status' }, 'status needs the name of one of pods'],
    [pods, { namespace: 'a', name: '' }, 'name "" may not be empty'],
    [pods, { namespace: 'a', name: '..' }, `name ".." may not be '..'`],
    [pods, { namespace: 'a/b' }, `namespace "a/b" may not contain '/'`],
    [nodes, { name: 'n', subresource: 'proxy/../x' }, `subresource ".." may not be '..'`],
  ])('%j %j', (of, target, message) => {
    expect(() => resourcePath(of, target)).toThrow(new TypeError(message));
  });
});
