/** Results that were computed from the JSON of a definition, or of a schema within it. */

import type { SchemaAdapter } from './cel/schema-value.ts';
import type { DefinitionView } from './definition/definition-view.ts';
import type { CompiledRules } from './rules/compiled-rule.ts';
import type { RuleNode } from './rules/rule-tree.ts';
import type { SchemaPart } from './schema-part.ts';
import type { SchemaTraits } from './schema-traits.ts';

/** Each member is set by the file that exports its type, when it is first needed. `null`: there is none. */
export interface JsonMemo {
  view?: DefinitionView;
  part?: SchemaPart;
  traits?: SchemaTraits;
  hasCelRules?: boolean;
  compiled?: CompiledRules | null;
  /** As the schema of a part, and as that of a whole object. */
  rules?: RuleNode | null;
  rootRules?: RuleNode | null;
  adapter?: SchemaAdapter;
  rootAdapter?: SchemaAdapter;
  /** The least size of an object in a request. */
  size?: number;
  rootSize?: number;
}

/**
 * By identity: a definition is JSON that strangers wrote, whole or in parts, and has no place of its own for this. A memo lives as long
 * as its JSON.
 */
const MEMOS = new WeakMap<object, JsonMemo>();

/** The memo of a definition or a schema; the same one each time. */
export function memoOf(json: object): JsonMemo {
  let memo = MEMOS.get(json);
  if (memo === undefined) {
    memo = {};
    MEMOS.set(json, memo);
  }
  return memo;
}
