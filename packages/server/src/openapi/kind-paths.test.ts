import { KIND_TABLE, loadSchemas } from '@listwatch/kinds/data';
import { describe, expect, it } from 'vitest';
import { type ApiOperation, type ApiPath, shareParameters } from './api-operation.ts';
import { kindPaths } from './kind-paths.ts';

const set = await loadSchemas(['core/v1', 'policy/v1', 'rbac/v1']);

function pathsOf(kind: string, returnsDeletedObject = false): readonly ApiPath[] {
  const data = KIND_TABLE.find((one) => one.kind === kind);
  if (data === undefined) throw new Error(`there is no ${kind}`);
  return kindPaths(set, { data, returnsDeletedObject });
}

function operationOf(kind: string, id: string): ApiOperation {
  const found = pathsOf(kind)
    .flatMap(({ operations }) => operations)
    .find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

function namesOf({ parameters }: ApiOperation): readonly string[] {
  return parameters.map(({ name }) => name);
}

/** `get /api/v1/pods listCoreV1PodForAllNamespaces`, for each operation. */
function lines(paths: readonly ApiPath[]): readonly string[] {
  return paths.flatMap(({ path, operations }) => operations.map(({ method, id }) => `${method} ${path} ${id}`));
}

describe('the paths of a kind', () => {
  it('of the cluster have no namespace', () => {
    expect(lines(pathsOf('ClusterRole'))).toEqual([
      'get /apis/rbac.authorization.k8s.io/v1/clusterroles listRbacAuthorizationV1ClusterRole',
      'post /apis/rbac.authorization.k8s.io/v1/clusterroles createRbacAuthorizationV1ClusterRole',
      'delete /apis/rbac.authorization.k8s.io/v1/clusterroles deleteRbacAuthorizationV1CollectionClusterRole',
      'get /apis/rbac.authorization.k8s.io/v1/clusterroles/{name} readRbacAuthorizationV1ClusterRole',
      'put /apis/rbac.authorization.k8s.io/v1/clusterroles/{name} replaceRbacAuthorizationV1ClusterRole',
      'patch /apis/rbac.authorization.k8s.io/v1/clusterroles/{name} patchRbacAuthorizationV1ClusterRole',
      'delete /apis/rbac.authorization.k8s.io/v1/clusterroles/{name} deleteRbacAuthorizationV1ClusterRole',
      'get /apis/rbac.authorization.k8s.io/v1/watch/clusterroles watchRbacAuthorizationV1ClusterRoleList',
      'get /apis/rbac.authorization.k8s.io/v1/watch/clusterroles/{name} watchRbacAuthorizationV1ClusterRole',
    ]);
  });

  it('that is only created has one path', () => {
    expect(lines(pathsOf('Binding'))).toEqual([
      'post /api/v1/namespaces/{namespace}/bindings createCoreV1NamespacedBinding',
    ]);
  });

  it('with subresources has a path for each, and two for a proxy', () => {
    const below = pathsOf('Pod').filter(({ path }) => path.startsWith('/api/v1/namespaces/{namespace}/pods/{name}/'));
    expect(
      below.map(({ path, operations }) => [path.split('/{name}/')[1], operations.map(({ method }) => method)]),
    ).toEqual([
      ['attach', ['post', 'get']],
      ['binding', ['post']],
      ['ephemeralcontainers', ['get', 'put', 'patch']],
      ['eviction', ['post']],
      ['exec', ['post', 'get']],
      ['log', ['get']],
      ['portforward', ['post', 'get']],
      ['proxy', ['post', 'delete', 'get', 'patch', 'put', 'options', 'head']],
      ['proxy/{path}', ['post', 'delete', 'get', 'patch', 'put', 'options', 'head']],
      ['resize', ['get', 'put', 'patch']],
      ['status', ['get', 'put', 'patch']],
    ]);
  });
});

describe('operations', () => {
  it('take the options of their verb', () => {
    expect(namesOf(operationOf('Pod', 'createCoreV1NamespacedPod'))).toEqual([
      'namespace',
      'pretty',
      'dryRun',
      'fieldManager',
      'fieldValidation',
    ]);
    const deletion = namesOf(operationOf('Pod', 'deleteCoreV1CollectionNamespacedPod'));
    expect(deletion).toEqual(expect.arrayContaining(['labelSelector', 'gracePeriodSeconds', 'propagationPolicy']));
    expect(deletion).not.toContain('watch');
    expect(deletion).not.toContain('preconditions');
  });

  it('of logs take what fits into a query, and answer text', () => {
    const log = operationOf('Pod', 'readCoreV1NamespacedPodLog');
    expect(namesOf(log)).toEqual(expect.arrayContaining(['container', 'follow', 'tailLines']));
    expect(namesOf(log)).not.toContain('sinceTime');
    expect(log).toMatchObject({ answer: 'string', produces: expect.arrayContaining(['text/plain']) });
  });

  it('on subresources are of the kind that they take', () => {
    expect(operationOf('Pod', 'createCoreV1NamespacedPodEviction')).toMatchObject({
      action: 'post',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      body: { type: 'policy/v1.Eviction', required: true },
    });
    expect(operationOf('Pod', 'connectCoreV1PostNamespacedPodExec')).toMatchObject({
      action: 'connect',
      kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
      produces: ['*/*'],
    });
  });

  it.each([
    ['Pod', true, 'core/v1.Pod'],
    ['Pod', false, 'meta/v1.Status'],
    ['Namespace', true, 'meta/v1.Status'],
  ])('that delete a %s that returns itself (%s) answer with %s', (kind, returns, answer) => {
    const operations = pathsOf(kind, returns).flatMap((path) => path.operations);
    expect(operations.find(({ action }) => action === 'delete')).toMatchObject({ answer, codes: [200, 202] });
  });

  it('share the parameters that all of a path have, in the order of their names', () => {
    const [collection] = pathsOf('Pod');
    if (collection === undefined) throw new Error('there is no path');
    const { shared, own } = shareParameters(collection);
    expect(shared.map(({ name }) => name)).toEqual(['namespace', 'pretty']);
    const [list] = collection.operations;
    const names = (list === undefined ? [] : (own.get(list) ?? [])).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['allowWatchBookmarks', 'continue', 'fieldSelector']);
  });
});
