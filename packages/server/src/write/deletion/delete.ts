/** DELETE on an object. */

import { forbidden, genericFailure, successStatus } from '@listwatch/api';
import { answerObject, answerStatus } from '../../answer/answer-object.ts';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { Verb } from '../../contract/verb.ts';
import { readDeleteOptions } from './delete-options.ts';
import { warnOfDeletion } from './deletion-warning.ts';
import { deleteObject } from './object-deletion.ts';

/** Deletes the object. Answers with a Status when it is gone, with the object when it stays or its kind says so. */
export const deleteVerb: Verb = (context, call) =>
  reportingStorage(async () => {
    const { definition, request, path } = call;
    const { resource, strategy } = definition;
    if (path.subresource !== '') throw genericFailure(404);
    const options = await readDeleteOptions(request);
    warnOfDeletion(call, options);
    const refusal = strategy.refusesDeletion?.(path.name);
    if (refusal !== undefined) throw forbidden(resource, path.name, refusal);
    const { removed, showsObject, served, uid } = await deleteObject(context, call, options);
    // 202: dependents are still to be deleted. Only for clients that sent `orphanDependents: false`; others expect 200.
    const status = !removed && options.orphanDependents === false ? 202 : 200;
    if (showsObject || strategy.returnsDeletedObject) return answerObject(context, call, served, { status });
    const details = { name: path.name, group: resource.group, kind: resource.plural, uid };
    return answerStatus(call, successStatus(details), { status });
  });
