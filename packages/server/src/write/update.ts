/** PUT on an object, or on its `status` or `finalize` subresource. */

import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { Verb } from '../contract/verb.ts';
import { decodeObject } from './body/decode-object.ts';
import { readBody } from './body/request-body.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { inRequestNamespace, requireRequestName } from './object-identity.ts';
import { updateObject } from './object-update.ts';
import { addWarnings } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/** Replaces the object: 200, or 201 when the kind lets an update create it. */
export const update: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { definition, request } = call;
    const body = await readBody(request);
    const { dryRun, fieldValidation } = readWriteOptions('UpdateOptions', request.query);
    const { object, warnings } = await decodeObject(context, definition, body, fieldValidation);
    addWarnings(call, warnings);
    if (isLarge(body.bytes.length)) await nextTurn();
    const placed = inRequestNamespace(call, object);
    requireRequestName(call, placed);
    const { uid } = placed.metadata;
    const { served, created } = await updateObject(context, call, {
      next: () => placed,
      uid,
      dryRun,
      bytes: body.bytes.length,
    });
    return answerObject(context, call, served, { status: created ? 201 : 200 });
  });
