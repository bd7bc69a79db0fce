/** PUT on an object, or on its `status` or `finalize` subresource. */

import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { Verb } from '../contract/verb.ts';
import { decodeObject } from './body/decode-object.ts';
import { readBody } from './body/request-body.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { requestOwners } from './managers/field-owners.ts';
import { inRequestNamespace, requireRequestName } from './object-identity.ts';
import { updateObject } from './object-update.ts';
import { distinctOwners } from './repeated-owners.ts';
import { addWarnings } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/** Replaces the object: 200, or 201 when the kind lets an update create it. */
export const update: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { definition, request } = call;
    const body = await readBody(request);
    const { dryRun, fieldValidation, fieldManager } = readWriteOptions('UpdateOptions', request.query);
    const { object, warnings } = await decodeObject(context, definition, body, fieldValidation);
    if (isLarge(body.bytes.length)) await nextTurn();
    const distinct = distinctOwners(inRequestNamespace(call, object));
    const placed = distinct.object;
    addWarnings(call, [...warnings, ...distinct.warnings]);
    requireRequestName(call, placed);
    const { uid } = placed.metadata;
    const changed = await updateObject(context, call, {
      next: () => placed,
      owners: requestOwners(context, call, fieldManager),
      uid,
      dryRun,
      bytes: body.bytes.length,
    });
    return answerObject(context, call, changed.served, { status: changed.created ? 201 : 200 });
  });
