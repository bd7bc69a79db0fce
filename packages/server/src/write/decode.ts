/** Decodes the body: the object in the place that the path names. */

import { decodeObject } from './body/decode-object.ts';
import { inRequestNamespace, requireRequestName } from './body/object-identity.ts';
import { distinctOwners } from './body/repeated-owners.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import type { Write } from './write.ts';

/** Throws the 400 for what is no object of the kind, and for another name or namespace than those of the path. */
export async function decode(write: Write): Promise<undefined> {
  const { call, context, options, body, plan, warnings } = write;
  if (body === undefined) throw new TypeError('decode needs a body');
  const decoded = await decodeObject(context.kinds, call.definition, body, options.fieldValidation);
  warnings.push(...decoded.warnings);
  if (isLarge(body.bytes.length)) await nextTurn();
  const distinct = distinctOwners(inRequestNamespace(call, decoded.object));
  warnings.push(...distinct.warnings);
  if (plan.isCreate !== true) requireRequestName(call, distinct.object);
  write.asked = distinct.object;
}
