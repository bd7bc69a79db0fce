/** The options of verbs as parameters of the query. */

import type { ScalarType, Schema, SchemaSet, TypeName } from '@listwatch/schema';
import type { OperationParameter } from './api-operation.ts';

const OMITTED: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** The scalar fields of options types, each once; `except` names fields that the verb does not take. */
export function optionParameters(
  set: SchemaSet,
  types: readonly TypeName[],
  except: readonly string[] = [],
): readonly OperationParameter[] {
  const found = new Map<string, OperationParameter>();
  for (const type of types) {
    const struct = set.resolve(type);
    if (!('fields' in struct)) continue;
    for (const [name, field] of Object.entries(struct.fields)) {
      const parameterType = typeOf(set, field);
      if (parameterType === undefined || OMITTED.has(name) || except.includes(name)) continue;
      found.set(name, { name, in: 'query', type: parameterType });
    }
  }
  return [...found.values()];
}

/** Other scalars are structs in Go, also times: structs have no form in a query. */
const PARAMETER_TYPES: Readonly<Partial<Record<ScalarType, OperationParameter['type']>>> = {
  bool: 'boolean',
  float64: 'number',
  int32: 'integer',
  int64: 'integer',
  string: 'string',
};

/** A list is a parameter that may be repeated. */
function typeOf(set: SchemaSet, schema: Schema): OperationParameter['type'] | undefined {
  const resolved = set.resolve(schema);
  if ('list' in resolved) return typeOf(set, resolved.list);
  return 'type' in resolved ? PARAMETER_TYPES[resolved.type] : undefined;
}
