/** The names of finalizers. */

import { checkQualifiedName } from '@listwatch/api';

/** Throws a RangeError for a name that a server would refuse. */
export function requireFinalizerName(name: string): void {
  const problems = checkQualifiedName(name);
  if (problems.length === 0) return;
  throw new RangeError(`${JSON.stringify(name)} cannot be the name of a finalizer: ${problems.join('; ')}`);
}
