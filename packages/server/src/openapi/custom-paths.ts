/** The paths of a custom kind: as those of a built-in one, but for what kube-apiserver leaves out for them. */

import { MEDIA_TYPE } from '@listwatch/api';
import type { KindData } from '@listwatch/kinds/data';
import { customComponents, type OpenApiComponents, type OpenApiSchema, type SchemaSet } from '@listwatch/schema';
import type { ApiOperation, ApiPath, OperationParameter } from './api-operation.ts';
import { type ComponentOrder, schemaIn } from './component-job.ts';
import { kindPaths } from './kind-paths.ts';
import { optionParameters } from './option-parameters.ts';

/** A version of a custom kind that is published. */
export interface PublishedCustomKind {
  readonly data: KindData;
  readonly listKind: string;
  /** The bytes of its definition now: the schema is read for each document, because documents are rare and schemas large. */
  readonly definition: () => Buffer;
}

/** The types that its paths refer to. */
export const CUSTOM_DOCUMENT_TYPES = [
  'autoscaling/v1.Scale',
  'meta/v1.CreateOptions',
  'meta/v1.DeleteOptions',
  'meta/v1.ListMeta',
  'meta/v1.ListOptions',
  'meta/v1.ObjectMeta',
  'meta/v1.PatchOptions',
  'meta/v1.Status',
  'meta/v1.UpdateOptions',
] as const;

const TEXT_TYPES = [MEDIA_TYPE.json, MEDIA_TYPE.yaml];
const RESOURCE_VERSION: OperationParameter = { name: 'resourceVersion', in: 'query', type: 'string' };

/** Where components are collected. */
export type ComponentRefs = Pick<OpenApiComponents, 'add' | 'ref'>;

/** The paths of a custom kind. */
export function customPaths(set: SchemaSet, { data }: PublishedCustomKind): readonly ApiPath[] {
  const isWatch = ({ path }: ApiPath): boolean => path.startsWith(`/apis/${data.group}/${data.version}/watch/`);
  return kindPaths(set, { data, returnsDeletedObject: false })
    .filter((path) => !isWatch(path))
    .map((path) => ({ ...path, operations: path.operations.map((operation) => customOperation(set, operation)) }));
}

/** Finds components: those of the custom kind are added when something first refers to them. `part` is that of the kind, if it is made already. */
export function customRefs(
  components: ComponentRefs,
  { definition, openApi, ...names }: ComponentOrder,
  data: KindData,
  part: OpenApiSchema | undefined,
): ComponentRefs {
  const schema = part === undefined ? schemaIn(definition, names.version) : undefined;
  const made = customComponents({ ...names, schema }, openApi);
  const named: Readonly<Record<string, string>> = { [data.type]: made.kind, [data.listType ?? '']: made.list };
  const refTo = (name: string): string =>
    components.add(name, (name === made.kind ? part : undefined) ?? made.schemas[name] ?? {});
  return {
    add: (name, component) => components.add(name, component),
    ref: (type) => {
      const name = named[type];
      if (name === undefined) return components.ref(type);
      components.ref('meta/v1.ObjectMeta');
      if (name === made.list) {
        components.ref('meta/v1.ListMeta');
        refTo(made.kind);
      }
      return refTo(name);
    },
  };
}

function customOperation(set: SchemaSet, operation: ApiOperation): ApiOperation {
  const { action, body, parameters } = operation;
  const text = { ...operation, produces: TEXT_TYPES };
  if (action === 'get') return { ...text, parameters: [...parameters, RESOURCE_VERSION] };
  if (action === 'patch' && body !== undefined) {
    const mediaTypes = body.mediaTypes.filter((type) => !type.includes('strategic'));
    return { ...text, codes: [200], body: { ...body, mediaTypes } };
  }
  if (action === 'deletecollection') {
    const { body: _body, ...rest } = text;
    const path = parameters.filter(({ in: where, name }) => where === 'path' || name === 'pretty');
    return { ...rest, parameters: [...path, ...optionParameters(set, ['meta/v1.ListOptions'])] };
  }
  return { ...text, ...(body && { body: { ...body, mediaTypes: TEXT_TYPES } }) };
}
