/** Validating admission: plugins, policies and webhooks see the object as it will be stored. */

import type { Write } from './write.ts';

/** Throws the refusal. */
export async function review(write: Write): Promise<undefined> {
  await write.context.admission.validate(write.admissionRequest(write.object), write.asAdmitted('validating'));
}
