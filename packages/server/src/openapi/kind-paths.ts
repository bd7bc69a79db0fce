/** The paths of one kind with their operations, as kube-apiserver installs them. Start here. */

import { groupVersionPath, MEDIA_TYPE } from '@listwatch/api';
import type { KindData } from '@listwatch/kinds/data';
import type { SchemaSet } from '@listwatch/schema';
import type { ApiOperation, ApiPath, OperationBody, OperationParameter } from './api-operation.ts';
import { allowed, createOperation, kindOf, OBJECT_TYPES, objectOperations } from './object-operations.ts';
import { optionParameters } from './option-parameters.ts';
import { NAME, type PathScope, PRETTY, pathScope } from './path-scope.ts';
import { subresourcePaths } from './subresource-paths.ts';

const STREAM_TYPES = [...OBJECT_TYPES, `${MEDIA_TYPE.json};stream=watch`, `${MEDIA_TYPE.protobuf};stream=watch`];

/** A kind whose paths are wanted. */
export interface DescribedKind {
  readonly data: KindData;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
}

/** All paths of a kind. */
export function kindPaths(set: SchemaSet, described: DescribedKind): readonly ApiPath[] {
  const scope = pathScope(set, described.data);
  return [
    { path: scope.collection, operations: collectionOperations(scope) },
    { path: `${scope.collection}/{name}`, operations: itemOperations(scope, described) },
    ...clusterWidePaths(scope),
    ...watchPaths(scope),
    ...subresourcePaths(scope),
  ]
    .filter(({ operations }) => operations.length > 0)
    .map((one) => ({ ...one, tag: scope.tag }));
}

function collectionOperations(scope: PathScope): readonly ApiOperation[] {
  const { set, data, prefix, noun } = scope;
  const own = [...scope.scope, PRETTY];
  const deletion = optionParameters(
    set,
    ['meta/v1.ListOptions', 'meta/v1.DeleteOptions'],
    ['watch', 'allowWatchBookmarks'],
  );
  return allowed(data.verbs, {
    list: () => listOperation(scope, `list${prefix}${noun}`, own),
    create: () =>
      createOperation(scope, { id: `create${prefix}${noun}`, parameters: own, kind: data, type: data.type }),
    deletecollection: () => ({
      method: 'delete',
      id: `delete${prefix}Collection${noun}`,
      action: 'deletecollection',
      kind: kindOf(data),
      parameters: [...own, ...deletion],
      body: deleteBody,
      codes: [200],
      answer: 'meta/v1.Status',
      produces: OBJECT_TYPES,
    }),
  });
}

/** They answer with themselves because their deletion only begins, which OpenAPI of kube-apiserver does not say. */
const LINGERING: ReadonlySet<string> = new Set(['batch/v1.Job', 'core/v1.Namespace', 'core/v1.ReplicationController']);

function itemOperations(scope: PathScope, { returnsDeletedObject }: DescribedKind): readonly ApiOperation[] {
  const { set, data, prefix, noun } = scope;
  const parameters = [...scope.scope, NAME, PRETTY];
  const target = { id: `${prefix}${noun}`, parameters, kind: data, type: data.type };
  return [
    ...objectOperations(scope, data.verbs, target),
    ...allowed(data.verbs, {
      delete: () => ({
        method: 'delete',
        id: `delete${prefix}${noun}`,
        action: 'delete',
        kind: kindOf(data),
        parameters: [...parameters, ...optionParameters(set, ['meta/v1.DeleteOptions'])],
        body: deleteBody,
        codes: [200, 202],
        answer: returnsDeletedObject && !LINGERING.has(data.type) ? data.type : 'meta/v1.Status',
        produces: OBJECT_TYPES,
      }),
    }),
  ];
}

const deleteBody: OperationBody = { type: 'meta/v1.DeleteOptions', required: false, mediaTypes: ['*/*'] };

function listOperation({ set, data }: PathScope, id: string, parameters: readonly OperationParameter[]): ApiOperation {
  return {
    method: 'get',
    id,
    action: 'list',
    kind: kindOf(data),
    parameters: [...parameters, ...optionParameters(set, ['meta/v1.ListOptions'])],
    codes: [200],
    answer: data.listType ?? data.type,
    produces: STREAM_TYPES,
  };
}

/** Lists of a namespaced kind over all namespaces. */
function clusterWidePaths(scope: PathScope): readonly Omit<ApiPath, 'tag'>[] {
  const { data, prefix } = scope;
  if (!data.namespaced || !data.verbs.includes('list')) return [];
  const operation = listOperation(scope, `list${prefix}${data.kind}ForAllNamespaces`, [PRETTY]);
  return [{ path: `${groupVersionPath(data)}/${data.plural}`, operations: [operation] }];
}

/** The old paths of watches. */
function watchPaths({ set, data, collection, scope, prefix, noun }: PathScope): readonly Omit<ApiPath, 'tag'>[] {
  if (!data.verbs.includes('watch')) return [];
  const root = groupVersionPath(data);
  const watch = (below: string, id: string, action: string, path: readonly OperationParameter[]) => ({
    path: `${root}/watch${below}`,
    operations: [
      {
        method: 'get' as const,
        id: `watch${prefix}${id}`,
        action,
        kind: kindOf(data),
        parameters: [...path, PRETTY, ...optionParameters(set, ['meta/v1.ListOptions'])],
        codes: [200],
        answer: 'meta/v1.WatchEvent' as const,
        produces: STREAM_TYPES,
      },
    ],
  });
  const below = collection.slice(root.length);
  return [
    watch(below, `${noun}List`, 'watchlist', scope),
    watch(`${below}/{name}`, noun, 'watch', [...scope, NAME]),
    ...(data.namespaced ? [watch(`/${data.plural}`, `${data.kind}ListForAllNamespaces`, 'watchlist', [])] : []),
  ];
}
