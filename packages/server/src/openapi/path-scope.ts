/** What the paths of one kind have in common. */

import { groupVersionPath } from '@listwatch/api';
import type { KindData } from '@listwatch/kinds/data';
import type { SchemaSet } from '@listwatch/schema';
import type { OperationParameter } from './api-operation.ts';
import { groupTag, groupVersionWord } from './operation-names.ts';

/** The name of an object in a path. */
export const NAME: OperationParameter = { name: 'name', in: 'path', type: 'string' };
/** Indented answers. */
export const PRETTY: OperationParameter = { name: 'pretty', in: 'query', type: 'string' };
const NAMESPACE: OperationParameter = { name: 'namespace', in: 'path', type: 'string' };

/** The coordinates of a kind in paths and names. */
export interface PathScope {
  readonly set: SchemaSet;
  readonly data: KindData;
  readonly tag: string;
  /** The path of the collection, below a namespace if there is one. */
  readonly collection: string;
  /** The parameters of the path of the collection. */
  readonly scope: readonly OperationParameter[];
  /** `AppsV1`. */
  readonly prefix: string;
  /** `NamespacedDeployment`. */
  readonly noun: string;
}

/** Makes it. */
export function pathScope(set: SchemaSet, data: KindData): PathScope {
  const root = groupVersionPath(data);
  return {
    set,
    data,
    tag: `${groupTag(data.group)}_${data.version}`,
    collection: `${root}${data.namespaced ? '/namespaces/{namespace}' : ''}/${data.plural}`,
    scope: data.namespaced ? [NAMESPACE] : [],
    prefix: groupVersionWord(data),
    noun: `${data.namespaced ? 'Namespaced' : ''}${data.kind}`,
  };
}
