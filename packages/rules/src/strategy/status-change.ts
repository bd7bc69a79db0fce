/** An update of the status that also keeps metadata. */

import type { PrepareChange } from './kind-definition.ts';

const KEPT = ['annotations', 'finalizers', 'generation', 'labels', 'ownerReferences'] as const;

/** Takes the status, and keeps all metadata that a client could change. */
export const statusOnly: PrepareChange = (object, old) => {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const name of KEPT) {
    if (old.metadata[name] === undefined) delete metadata[name];
    else metadata[name] = old.metadata[name];
  }
  return { ...old, metadata, status: object['status'] };
};
