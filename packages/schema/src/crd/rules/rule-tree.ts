/** The rules of a schema and of those within it, by where they stand. Parts without rules are left out. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { memoOf } from '../json-memo.ts';
import { type CompiledRules, compiledRules } from './compiled-rule.ts';
import { schemaRules } from './schema-rule.ts';

/** The rules for values of one schema. */
export interface RuleNode {
  readonly schema: JsonRecord;
  /** `''` for none. */
  readonly type: string;
  /** It is the schema of a whole object. */
  readonly isRoot: boolean;
  /** Compiled on first use; `undefined` when expressions cannot see such values, or when there are none. */
  readonly compiled: () => CompiledRules | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** The rules of a schema; `undefined` when there are none in it. By identity: the result is kept. */
export function ruleTree(schema: JsonRecord, isRoot: boolean): RuleNode | undefined {
  const memo = memoOf(schema);
  const member = isRoot ? 'rootRules' : 'rules';
  if (memo[member] === undefined) memo[member] = nodeOf(schema, isRoot) ?? null;
  return memo[member] ?? undefined;
}

function nodeOf(schema: JsonRecord, isRoot: boolean): RuleNode | undefined {
  const properties = new Map<string, RuleNode>();
  const parts = schema['properties'];
  for (const [name, part] of isRecord(parts) ? Object.entries(parts) : []) {
    const node = below(part);
    if (node !== undefined) properties.set(name, node);
  }
  const [items, additional] = [below(schema['items']), below(schema['additionalProperties'])];
  const hasRules = schemaRules(schema).length > 0;
  if (!hasRules && properties.size === 0 && items === undefined && additional === undefined) return undefined;
  const isWhole = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const compiled = (): CompiledRules | undefined => (hasRules ? compiledRules(schema, isWhole) : undefined);
  const type = typeof schema['type'] === 'string' ? schema['type'] : '';
  return { schema, type, isRoot: isWhole, compiled, properties, additional, items };
}

function below(schema: unknown): RuleNode | undefined {
  return isRecord(schema) ? ruleTree(schema, false) : undefined;
}
