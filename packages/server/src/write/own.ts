/** Finds out who owns which fields afterwards. Before admission: what plugins add has no owner, as in Kubernetes. */

import { validateManagedFields } from '@listwatch/rules/internal';
import { isLarge, nextTurn, stepsBySize } from './event-loop-turn.ts';
import { requestOwners } from './owners/field-owners.ts';
import type { Write } from './write.ts';

/** What is wrong with owners that the client has sent is told with the other errors of the object. */
export async function own(write: Write): Promise<undefined> {
  const { context, call, plan, options, asked, old, bytes } = write;
  const isLong = isLarge(bytes);
  const ownersOf = plan.owners ?? requestOwners(context, call, options.fieldManager);
  const sent = asked.metadata['managedFields'];
  write.owners = await stepsBySize(ownersOf({ old, next: write.prepared, sent, isLarge: isLong }), bytes);
  // A patch hands the stored ones on.
  const isNew = sent !== undefined && sent !== old?.metadata['managedFields'];
  write.ownerErrors = isNew ? validateManagedFields(write.owners) : [];
  if (isLong) await nextTurn();
}
