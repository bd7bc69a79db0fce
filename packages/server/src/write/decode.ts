/** Decodes the body, and checks its name and namespace against the path. */

import { distinctOwners, inRequestNamespace, requireRequestName } from '@listwatch/rules/internal';
import { decodeObject } from './body/decode-object.ts';
import { noteSentObject } from './body/noted-object.ts';
import type { Write } from './write.ts';

/** Throws the 400 for a body that is no object of the kind, or whose name or namespace differs from the path. */
export async function decode(write: Write): Promise<undefined> {
  const { call, context, options, body, plan, warnings } = write;
  if (body === undefined) throw new TypeError('decode needs a body');
  const decoded = await decodeObject(context.kinds, call.definition, body, options.fieldValidation);
  warnings.push(...decoded.warnings);
  write.formed = decoded.isCanonical === true ? decoded.object : undefined;
  const { audit } = call.request;
  if (audit !== undefined) {
    const sent = { object: decoded.object, now: context.store.clock.now() };
    await noteSentObject(audit, call.definition, sent);
  }
  const distinct = distinctOwners(inRequestNamespace(call, decoded.object));
  warnings.push(...distinct.warnings);
  if (plan.isCreate !== true) requireRequestName(call, distinct.object);
  write.asked = distinct.object;
}
