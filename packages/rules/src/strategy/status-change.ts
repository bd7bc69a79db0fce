/** An update of the status that leaves metadata as it is, too. */

import type { ObjectChange } from './kind-rules.ts';

const KEPT = ['annotations', 'finalizers', 'generation', 'labels', 'ownerReferences'] as const;

/** Takes the status, and of the metadata nothing that a client may set. */
export const statusOnly: ObjectChange = (object, old) => {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const name of KEPT) {
    if (old.metadata[name] === undefined) delete metadata[name];
    else metadata[name] = old.metadata[name];
  }
  return { ...old, metadata, status: object['status'] };
};
