/** PATCH on an object or on its `status`: JSON patch and merge patch. */

import { fieldInvalid, invalid, notFound } from '@listwatch/api';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { KubeObject } from '../kinds/resource-definition.ts';
import { encodeJson } from '../kinds/shapes/exact-json.ts';
import { recordOf } from '../kinds/shapes/json-value.ts';
import { typedObject } from './decode-object.ts';
import { type FieldValidation, strictError, unknownComplaints } from './field-check.ts';
import { inRequestNamespace, requireRequestName } from './object-identity.ts';
import { updateObject } from './object-update.ts';
import { type PatchDocument, readPatch, requirePatchType } from './patch-document.ts';
import { mediaTypeOf } from './request-body.ts';
import { documentType, typeMetaProblem, typeProblem } from './type-problem.ts';
import { warningHeader } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/**
 * Patches the object: 200. The patch is applied to the newest state, again and again until nobody comes in between. A
 * resourceVersion in the patch ties it to one state.
 */
export const patch: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { definition, request, path } = call;
    const mediaType = mediaTypeOf(request.header('content-type'));
    requirePatchType(mediaType);
    const bytes = await request.body();
    const { dryRun, fieldValidation } = readWriteOptions('PatchOptions', request.query);
    let document: PatchDocument | undefined;
    let warnings: readonly string[] = [];
    const next = (old: KubeObject | undefined): KubeObject => {
      if (old === undefined) throw notFound(definition.resource, path.name);
      // A missing object is reported before a broken patch.
      document ??= readPatch(mediaType, bytes);
      const patched = patchedObject(context, call, document, old, fieldValidation);
      warnings = patched.warnings;
      return patched.object;
    };
    const { served } = await updateObject(context, call, { next, dryRun });
    return answerObject(context, call, served, { headers: warningHeader(warnings) });
  });

interface PatchedObject {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

function patchedObject(
  context: VerbContext,
  call: ResourceCall,
  { apply, complaints }: PatchDocument,
  old: KubeObject,
  fieldValidation: FieldValidation,
): PatchedObject {
  const { definition } = call;
  const value = apply(old);
  const fields = recordOf(value);
  const type = documentType(fields, definition);
  const wrong =
    typeMetaProblem(value) ??
    (type === undefined ? 'unexpected GroupVersion string' : typeProblem(context, fields, type, definition)) ??
    definition.decodeProblem(fields);
  const all = fieldValidation === 'Ignore' ? [] : [...complaints, ...unknownComplaints(definition.fieldTree, fields)];
  const problem = wrong ?? (fieldValidation === 'Strict' && all.length > 0 ? strictError(all) : undefined);
  if (problem !== undefined) {
    throw invalid({ group: '', kind: '' }, '', [fieldInvalid('patch', encodeJson(value), problem)]);
  }
  const object = inRequestNamespace(call, typedObject(definition, fields));
  requireRequestName(call, object);
  return { object, warnings: all };
}
