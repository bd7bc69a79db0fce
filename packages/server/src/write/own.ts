/** Computes `managedFields`. Runs before admission: fields that plugins add have no owner, as in Kubernetes. */

import { validateManagedFields } from '@listwatch/rules/internal';
import { requestOwners } from './owners/field-owners.ts';
import type { Write } from './write.ts';

/** Keeps the errors in `managedFields` that the client sent: `validate` reports them with all other errors. */
export function own(write: Write): undefined {
  const { context, call, plan, options, asked, old } = write;
  const ownersOf = plan.owners ?? requestOwners(context, call, options.fieldManager);
  const sent = asked.metadata['managedFields'];
  write.owners = ownersOf({ old, next: write.prepared, sent });
  // The result of a patch has the stored `managedFields`: do not validate them again.
  const isNew = sent !== undefined && sent !== old?.metadata['managedFields'];
  write.ownerErrors = isNew ? validateManagedFields(write.owners) : [];
}
