/** The paths of subresources: those that give an object, and those that connect to a node, a pod or a service. */

import type { SubresourceData } from '@listwatch/kinds/data';
import type { TypeName } from '@listwatch/schema';
import type { ApiOperation, ApiPath, OperationMethod, OperationParameter } from './api-operation.ts';
import { createOperation, kindOf, OBJECT_TYPES, objectOperations } from './object-operations.ts';
import { capital } from './operation-names.ts';
import { optionParameters } from './option-parameters.ts';
import { NAME, type PathScope, PRETTY } from './path-scope.ts';

type UntaggedPath = Omit<ApiPath, 'tag'>;

/** The paths of all subresources of a kind. */
export function subresourcePaths(scope: PathScope): readonly UntaggedPath[] {
  return Object.entries(scope.data.subresources).flatMap(([name, data]) => {
    if (name === 'log') return [logPath(scope, data)];
    return data.kind.endsWith('Options') ? connectPaths(scope, name, data) : [objectPath(scope, name, data)];
  });
}

function objectPath(scope: PathScope, name: string, data: SubresourceData): UntaggedPath {
  const id = `${scope.prefix}${scope.noun}${capital(name)}`;
  const target = { id, parameters: [...scope.scope, NAME, PRETTY], kind: data, type: data.type };
  return {
    path: `${scope.collection}/{name}/${name}`,
    operations: [
      ...objectOperations(scope, data.verbs, target),
      ...(data.verbs.includes('create') ? [createOperation(scope, { ...target, id: `create${id}` })] : []),
    ],
  };
}

const LOG_OPTIONS: TypeName = 'core/v1.PodLogOptions';

function logPath({ set, collection, scope, prefix, noun }: PathScope, data: SubresourceData): UntaggedPath {
  const operation: ApiOperation = {
    method: 'get',
    id: `read${prefix}${noun}Log`,
    action: 'get',
    kind: kindOf(data),
    parameters: [...scope, NAME, PRETTY, ...optionParameters(set, [LOG_OPTIONS])],
    codes: [200],
    answer: 'string',
    produces: ['text/plain', ...OBJECT_TYPES],
  };
  return { path: `${collection}/{name}/log`, operations: [operation] };
}

const CONNECT_METHODS: Readonly<Record<string, OperationMethod>> = {
  get: 'get',
  update: 'put',
  create: 'post',
  delete: 'delete',
  patch: 'patch',
};
const FURTHER_PATH: OperationParameter = { name: 'path', in: 'path', type: 'string' };

function connectPaths(
  { set, collection, scope, prefix, noun }: PathScope,
  name: string,
  data: SubresourceData,
): readonly UntaggedPath[] {
  const isProxy = name === 'proxy';
  const verbs = data.verbs.flatMap((verb) => CONNECT_METHODS[verb] ?? []);
  // Discovery has no verbs for these two methods.
  const methods: readonly OperationMethod[] = isProxy ? [...verbs, 'options', 'head'] : verbs;
  const options = [...scope, NAME, ...optionParameters(set, [data.type])];
  const at = (path: string, end: string, parameters: readonly OperationParameter[]): UntaggedPath => ({
    path,
    operations: methods.map((method) => ({
      method,
      id: `connect${prefix}${capital(method)}${noun}${capital(name)}${end}`,
      action: 'connect',
      kind: kindOf(data),
      parameters,
      codes: [200],
      answer: 'string',
      produces: ['*/*'],
    })),
  });
  const path = `${collection}/{name}/${name}`;
  return [at(path, '', options), ...(isProxy ? [at(`${path}/{path}`, 'WithPath', [...options, FURTHER_PATH])] : [])];
}
