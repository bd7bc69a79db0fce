/** The definitions of the built-in kinds: their data with their rules. */

import { GROUP_TABLE, KIND_TABLE, type KindData } from '@listwatch/kinds/data';
import type { TypeName } from '@listwatch/schema';
import { KIND_RULES } from '../kinds/built-in-rules.ts';
import { defineBuiltInKind } from './define-built-in-kind.ts';
import { defaultStoragePrefix } from './kind-conventions.ts';
import type { KindDefinition } from './kind-definition.ts';

/** The data of all kinds that are served. */
export const SERVED_KINDS: readonly KindData[] = KIND_TABLE.filter((data) => isPreferred(data) || isConvertible(data));

/** The kinds whose objects are stored. Virtual kinds, such as reviews, are in `virtual-kinds.ts`. */
export const BUILT_IN_KINDS: readonly KindDefinition[] = SERVED_KINDS.filter(({ verbs }) => verbs.includes('get')).map(
  (data) => defineBuiltInKind(data, KIND_RULES[data.type]),
);

const BY_TYPE: ReadonlyMap<TypeName, KindDefinition> = new Map(
  BUILT_IN_KINDS.map((definition) => [definition.data.type, definition]),
);

/** The kind with this object type. Throws a RangeError for an unknown type. */
export function builtInKind(type: TypeName): KindDefinition {
  const definition = BY_TYPE.get(type);
  if (definition === undefined) throw new RangeError(`there is no built-in kind of ${type}`);
  return definition;
}

function isPreferred({ group, version }: KindData): boolean {
  return GROUP_TABLE.find((one) => one.group === group)?.versions[0] === version;
}

/** Can all versions of the kind read each other's stored objects? Otherwise only the preferred version is served. */
function isConvertible(data: KindData): boolean {
  return KIND_TABLE.filter((other) => prefixOf(other) === prefixOf(data)).every(
    ({ type }) => KIND_RULES[type]?.convert !== undefined,
  );
}

function prefixOf(data: KindData): string {
  return KIND_RULES[data.type]?.storagePrefix ?? defaultStoragePrefix(data);
}
