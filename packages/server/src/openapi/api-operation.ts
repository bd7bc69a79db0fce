/** An operation of the API, before it is written in a version of OpenAPI. */

import type { GroupVersionKind, TypeName } from '@listwatch/schema';

/** The methods that OpenAPI knows. */
export type OperationMethod = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

/** A parameter in the path or in the query. Those in the path are required. */
export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'boolean' | 'integer' | 'number' | 'string';
}

/** The body of a request. */
export interface OperationBody {
  /** `patch`: whatever its media type says. */
  readonly type: TypeName | 'patch';
  readonly required: boolean;
  readonly mediaTypes: readonly string[];
}

/** What is done with one method at one path. */
export interface ApiOperation {
  readonly method: OperationMethod;
  readonly id: string;
  /** `x-kubernetes-action`; absent for documents. */
  readonly action?: string;
  /** The kind that is taken or given; absent for documents. */
  readonly kind?: GroupVersionKind;
  readonly parameters: readonly OperationParameter[];
  readonly body?: OperationBody;
  /** The status codes of success. */
  readonly codes: readonly number[];
  /** What all of them answer. */
  readonly answer: TypeName | 'string';
  readonly produces: readonly string[];
}

/** All operations at one path. */
export interface ApiPath {
  readonly path: string;
  readonly tag: string;
  readonly operations: readonly ApiOperation[];
}

/** A path whose parameters are sorted into those of all its operations and those of one. */
export interface SharedParameters {
  readonly shared: readonly OperationParameter[];
  readonly own: ReadonlyMap<ApiOperation, readonly OperationParameter[]>;
}

/** Parameters that all operations of a path have stand at the path, as kube-apiserver writes them. */
export function shareParameters({ operations }: ApiPath): SharedParameters {
  const isShared = ({ name, in: where }: OperationParameter): boolean =>
    operations.every(({ parameters }) => parameters.some((other) => other.name === name && other.in === where));
  const [first] = operations;
  return {
    shared: (first?.parameters ?? []).filter(isShared).toSorted(byName),
    own: new Map(
      operations.map((one) => [one, one.parameters.filter((parameter) => !isShared(parameter)).toSorted(byName)]),
    ),
  };
}

function byName(left: OperationParameter, right: OperationParameter): number {
  return `${left.name} ${left.in}` < `${right.name} ${right.in}` ? -1 : 1;
}
