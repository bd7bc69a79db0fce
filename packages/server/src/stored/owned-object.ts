/** Which objects concern the garbage collector. */

import { FINALIZER } from '@listwatch/api';
import type { KubeMetadata } from '@listwatch/rules/internal';

/** Does the object have owners, or a finalizer that the garbage collector removes? */
export function isOwned(metadata: KubeMetadata): boolean {
  const { finalizers } = metadata;
  const references = metadata['ownerReferences'];
  if (Array.isArray(references) && references.length > 0) return true;
  if (finalizers === undefined) return false;
  return finalizers.includes(FINALIZER.foregroundDeletion) || finalizers.includes(FINALIZER.orphan);
}
