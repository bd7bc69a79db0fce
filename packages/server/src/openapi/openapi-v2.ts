/** Operations in OpenAPI version 2 (Swagger). */

import { STATUS_CODES } from 'node:http';
import type { TypeName } from '@listwatch/schema';
import { type ApiOperation, type ApiPath, type OperationParameter, shareParameters } from './api-operation.ts';
import type { ComponentRefs } from './custom-paths.ts';
import { PATCH_COMPONENT } from './openapi-document.ts';

/** A path of the document. The types that it refers to are added to the definitions. */
export function pathOfVersion2(path: ApiPath, definitions: ComponentRefs): object {
  const { shared, own } = shareParameters(path);
  const operations = path.operations.map((operation) => [
    operation.method,
    operationOf(path, operation, own.get(operation) ?? [], definitions),
  ]);
  return {
    ...Object.fromEntries(operations),
    ...(shared.length === 0 ? {} : { parameters: shared.map(parameterOf) }),
  };
}

function operationOf(
  { tag }: ApiPath,
  { id, action, kind, body, codes, answer, produces }: ApiOperation,
  own: readonly OperationParameter[],
  definitions: ComponentRefs,
): object {
  const parameters = [...bodyParameter(body, definitions), ...own.map(parameterOf)];
  const schema = schemaOf(answer, definitions);
  const consumes = body?.mediaTypes ?? (kind === undefined ? produces : ['*/*']);
  return {
    // Documents that are no objects take nothing.
    ...(kind === undefined && answer === 'string' ? {} : { consumes }),
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: STATUS_CODES[code], schema }])),
      401: { description: STATUS_CODES[401] },
    },
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': kind }),
  };
}

/** Version 2 has the body among the parameters. */
function bodyParameter(body: ApiOperation['body'], definitions: ComponentRefs): readonly object[] {
  if (body === undefined) return [];
  const required = body.required ? { required: true } : {};
  return [{ name: 'body', in: 'body', ...required, schema: schemaOf(body.type, definitions) }];
}

function parameterOf({ name, in: where, type }: OperationParameter): object {
  return { uniqueItems: true, type, name, in: where, ...(where === 'path' ? { required: true } : {}) };
}

function schemaOf(type: TypeName | 'patch' | 'string', definitions: ComponentRefs): object {
  if (type === 'string') return { type };
  return { $ref: type === 'patch' ? definitions.add(PATCH_COMPONENT, { type: 'object' }) : definitions.ref(type) };
}
