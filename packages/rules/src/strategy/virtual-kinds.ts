/** Virtual kinds, whose objects are never stored: reviews, and the bodies of subresources. */

import { KIND_TABLE, type KindData } from '@listwatch/kinds/data';
import type { TypeName } from '@listwatch/schema';
import { scale } from '../kinds/scale-rules.ts';
import { VIRTUAL_LIMITS } from './body-limits.ts';
import { defineBuiltInKind } from './define-built-in-kind.ts';
import type { KindDefinition } from './kind-definition.ts';
import type { KindRules } from './kind-rules.ts';

const RULES: Readonly<Record<TypeName, KindRules>> = { 'autoscaling/v1.Scale': scale };

const definitions = new Map<TypeName, KindDefinition>();

/** The definition of a virtual kind, such as `autoscaling/v1.Scale`. Throws a RangeError for an unknown type. */
export function virtualKind(type: TypeName): KindDefinition {
  const known = definitions.get(type);
  if (known !== undefined) return known;
  const definition = defineBuiltInKind(virtualData(type), { bodyLimits: VIRTUAL_LIMITS, ...RULES[type] });
  definitions.set(type, definition);
  return definition;
}

function virtualData(type: TypeName): KindData {
  for (const data of KIND_TABLE) {
    if (data.type === type) return data;
    const subresource = Object.values(data.subresources).find((one) => one.type === type);
    if (subresource === undefined) continue;
    const { group, version, kind, verbs } = subresource;
    const names = { plural: data.plural, singular: data.singular, namespaced: data.namespaced };
    return { group, version, kind, type, verbs, ...names, ...NOTHING_ELSE };
  }
  throw new RangeError(`there is no kind of ${type}`);
}

const NOTHING_ELSE = { shortNames: [], categories: [], selectableFields: [], subresources: {} };
