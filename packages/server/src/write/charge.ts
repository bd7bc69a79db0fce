/** Charges the write to the quotas of its namespace. */

import type { Write } from './write.ts';

/** Throws the 403 for a write that would exceed a quota. A retry is not charged again for the same usage. */
export async function charge(write: Write): Promise<undefined> {
  const request = write.admissionRequest(write.object);
  await write.context.admission.charge(request, write.charged);
  if (!write.options.dryRun) write.charged = request;
}
