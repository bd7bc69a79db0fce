/** Operations in OpenAPI version 3. */

import { STATUS_CODES } from 'node:http';
import type { TypeName } from '@listwatch/schema';
import { type ApiOperation, type ApiPath, type OperationParameter, shareParameters } from './api-operation.ts';
import type { ComponentRefs } from './custom-paths.ts';
import { PATCH_COMPONENT } from './openapi-document.ts';

/** A path of the document. The types that it refers to are added to the components. */
export function pathOfVersion3(path: ApiPath, components: ComponentRefs): object {
  const { shared, own } = shareParameters(path);
  const operations = path.operations.map((operation) => [
    operation.method,
    operationOf(path, operation, own.get(operation) ?? [], components),
  ]);
  return {
    ...Object.fromEntries(operations),
    ...(shared.length === 0 ? {} : { parameters: shared.map(parameterOf) }),
  };
}

function operationOf(
  { tag }: ApiPath,
  operation: ApiOperation,
  parameters: readonly OperationParameter[],
  components: ComponentRefs,
): object {
  const { id, action, kind, body } = operation;
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOf) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: contentOf(body.mediaTypes, schemaOf(body.type, components)),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: responsesOf(operation, components),
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': kind }),
  };
}

function responsesOf({ codes, answer, produces }: ApiOperation, components: ComponentRefs): object {
  const content = contentOf(produces, schemaOf(answer, components));
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: STATUS_CODES[code], content }])),
    401: { description: STATUS_CODES[401] },
  };
}

function contentOf(mediaTypes: readonly string[], schema: object): object {
  return Object.fromEntries(mediaTypes.toSorted().map((mediaType) => [mediaType, { schema }]));
}

function parameterOf({ name, in: where, type }: OperationParameter): object {
  return { name, in: where, ...(where === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}

function schemaOf(type: TypeName | 'patch' | 'string', components: ComponentRefs): object {
  if (type === 'string') return { type };
  return { $ref: type === 'patch' ? components.add(PATCH_COMPONENT, { type: 'object' }) : components.ref(type) };
}
