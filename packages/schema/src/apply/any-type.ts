/** Types of values that no schema describes. */

import type { ApplyField, ApplyType } from './apply-type.ts';

/** A struct or map without known fields. */
export const NO_FIELDS: ReadonlyMap<string, ApplyField> = new Map();

/** Any JSON value, whose lists and objects are owned as a whole. */
export const UNTYPED: ApplyType = untyped(true);

/** Any JSON value: its objects are owned member by member, its lists as a whole. */
export const DEDUCED: ApplyType = untyped(false);

/** Does every JSON value fit the type? */
export function isAnyType(type: ApplyType): boolean {
  return type === DEDUCED || type === UNTYPED;
}

function untyped(isAtomic: boolean): ApplyType {
  const type: ApplyType = {
    scalar: 'untyped',
    list: {
      isAtomic: true,
      keys: [],
      get item(): ApplyType {
        return UNTYPED;
      },
    },
    map: {
      isAtomic,
      fields: NO_FIELDS,
      isDeduced: true,
      get element(): ApplyType {
        return type;
      },
    },
  };
  return type;
}
