/** Validating admission: plugins, policies and webhooks see the object as it will be stored. */

import { WriteInPass } from './admission/dynamic/write-in-pass.ts';
import type { Write } from './write.ts';

/** Throws the refusal. */
export async function review(write: Write): Promise<undefined> {
  const dynamic = write.plan.isOwn === true ? undefined : () => new WriteInPass(write, 'validating');
  await write.context.admission.validate(write.admissionRequest(write.object), dynamic);
}
