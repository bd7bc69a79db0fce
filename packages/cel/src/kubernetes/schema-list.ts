/** Lists that are sets or maps by key: their order does not count, and `+` merges. */
import { CelList, type ListRules } from '../values/cel-list.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { SchemaAdapter } from './schema-value.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** What differs from an ordinary list; `undefined` for one. */
export function listRules(schema: StructuralSchema, adapt: SchemaAdapter): ListRules | undefined {
  return undefined;
}
