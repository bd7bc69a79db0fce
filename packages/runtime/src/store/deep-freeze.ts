/** Makes an object of a cache read-only, so that whoever changes it fails where they do so, with their own stack. */

/** Freezes `value` and all in it. Made for JSON: no cycles, no accessors. */
export function deepFreeze<V>(value: V): V {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/**
 * - `all`: every object, when it comes.
 * - `read`: an object that a program reads, when it reads it first; of the objects of changes every sixteenth. A freeze costs
 *   half as much as the parsing of the object, and most objects of a large cache are never read (`docs/design/0039-types.md`).
 * - `none`
 */
export type Freezing = 'all' | 'none' | 'read';

/** What the option says, and else: everything while a program is developed, and what is read in production. */
export function freezingOf(option: boolean | undefined): Freezing {
  if (option !== undefined) return option ? 'all' : 'none';
  return typeof process !== 'undefined' && process.env['NODE_ENV'] === 'production' ? 'read' : 'all';
}
