/** The OpenAPI document in version 3 of a backend that has version 2 alone. */

import { defined, isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { type RemoteDocument, referred } from '../openapi/merge-version2.ts';

const METHODS: ReadonlySet<string> = new Set(['delete', 'get', 'head', 'options', 'patch', 'post', 'put']);
/** Members of an operation that mean the same in both versions. */
const KEPT = ['tags', 'summary', 'description', 'externalDocs', 'operationId', 'deprecated'] as const;
/** Members of a parameter that describe its value: in version 3 they are a schema. */
const OF_THE_VALUE = [
  'type',
  'format',
  'items',
  'default',
  'maximum',
  'minimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
] as const;
const ANY_TYPE = '*/*';

/** The paths below the prefix, and the definitions that they use. */
export function version3Document({ prefix, document }: Omit<RemoteDocument, 'hash'>): JsonRecord {
  const found = Object.entries(recordOf(document['paths'])).filter(([path]) => path.startsWith(prefix));
  const definitions = recordOf(document['definitions']);
  const names = [...referred(Object.fromEntries(found), definitions)].toSorted();
  const consumes = textsOf(document['consumes']);
  const produces = textsOf(document['produces']);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v0', ...recordOf(document['info']) },
    paths: Object.fromEntries(found.map(([path, item]) => [path, pathItem(recordOf(item), { consumes, produces })])),
    components: { schemas: Object.fromEntries(names.map((name) => [name, rewritten(definitions[name])])) },
  };
}

interface Types {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

function pathItem(item: JsonRecord, types: Types): JsonRecord {
  const made: Record<string, unknown> = extensionsOf(item);
  const { shared } = parametersOf(item['parameters']);
  if (shared.length > 0) made['parameters'] = shared;
  for (const [method, value] of Object.entries(item)) {
    if (METHODS.has(method) && isRecord(value)) made[method] = operation(value, types);
  }
  return made;
}

function operation(value: JsonRecord, types: Types): JsonRecord {
  const consumes = listOf(value['consumes']).length > 0 ? textsOf(value['consumes']) : types.consumes;
  const produces = listOf(value['produces']).length > 0 ? textsOf(value['produces']) : types.produces;
  const { shared, body } = parametersOf(value['parameters']);
  const kept = Object.fromEntries(KEPT.map((name) => [name, value[name]]));
  const responses = Object.entries(recordOf(value['responses'])).map(([code, response]) => {
    const { description, schema } = recordOf(response);
    return [code, defined({ description: textOf(description), content: contentOf(produces, schema) })] as const;
  });
  return defined({
    ...kept,
    ...extensionsOf(value),
    parameters: shared.length === 0 ? undefined : shared,
    requestBody: body && defined({ ...body, content: contentOf(consumes, body.schema), schema: undefined }),
    responses: Object.fromEntries(responses),
  });
}

function contentOf(types: readonly string[], schema: unknown): JsonRecord | undefined {
  if (schema === undefined) return undefined;
  const shown = types.length === 0 ? [ANY_TYPE] : types;
  return Object.fromEntries(shown.map((type) => [type, { schema: rewritten(schema) }]));
}

interface BodyParameter {
  readonly description: unknown;
  readonly required: unknown;
  readonly schema: unknown;
}

function parametersOf(value: unknown): { readonly shared: readonly JsonRecord[]; readonly body?: BodyParameter } {
  const all = recordsOf(value);
  const body = all.find((one) => one['in'] === 'body');
  const shared = all
    .filter((one) => one['in'] === 'path' || one['in'] === 'query' || one['in'] === 'header')
    .map((one) => {
      const { name, description, required } = one;
      const schema = defined(Object.fromEntries(OF_THE_VALUE.map((key) => [key, rewritten(one[key])])));
      return defined({ name, in: one['in'], description, required, schema });
    });
  if (body === undefined) return { shared };
  return {
    shared,
    body: { description: body['description'], required: body['required'], schema: body['schema'] ?? {} },
  };
}

function extensionsOf(value: JsonRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('x-')));
}

const DEFINITION = '#/definitions/';

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isReference = key === '$ref' && typeof member === 'string' && member.startsWith(DEFINITION);
      return [key, isReference ? `#/components/schemas/${member.slice(DEFINITION.length)}` : rewritten(member)];
    }),
  );
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}
