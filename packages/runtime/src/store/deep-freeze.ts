/** Makes an object of a cache read-only, so that a handler that changes it fails where it does so. */

/** Freezes `value` and all in it. Made for JSON: no cycles, no accessors. */
export function deepFreeze<V>(value: V): V {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** Frozen unless this is production: there it would cost a walk over every object that comes. */
export function freezeByDefault(): boolean {
  return typeof process === 'undefined' || process.env['NODE_ENV'] !== 'production';
}
