/** PATCH on an object or on its `status`: JSON patch and merge patch. */

import { fieldInvalid, invalid, notFound } from '@listwatch/api';
import { jsonCut } from '@listwatch/api/internal';
import { strictError, unknownFieldComplaints } from '@listwatch/schema';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { KubeObject } from '../kinds/resource-definition.ts';
import { recordOf } from '../kinds/shapes/json-value.ts';
import { typedObject } from './body/decode-object.ts';
import type { FieldValidation } from './body/field-check.ts';
import { mediaTypeOf } from './body/request-body.ts';
import { documentType, typeMetaProblem, typeProblem } from './body/type-problem.ts';
import { nextTurn } from './event-loop-turn.ts';
import { inRequestNamespace, requireRequestName } from './object-identity.ts';
import { updateObject } from './object-update.ts';
import { type PatchDocument, readPatch, requirePatchType } from './patching/patch-document.ts';
import { warningHeader } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/**
 * Patches the object: 200. After a conflict the patch is applied to the newest state again. A resourceVersion in the patch
 * ties it to one state.
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
    const check = (value: unknown, { complaints }: PatchDocument): KubeObject => {
      const patched = checkPatched(context, call, { value, complaints }, fieldValidation);
      warnings = patched.warnings;
      return patched.object;
    };
    const next = (old: KubeObject | undefined): KubeObject => {
      if (old === undefined) throw notFound(definition.resource, path.name);
      // A missing object is reported before a broken patch.
      document ??= readPatch(mediaType, bytes);
      return check(document.apply(old), document);
    };
    const nextInTurns = async (old: KubeObject): Promise<KubeObject> => {
      document ??= readPatch(mediaType, bytes);
      await nextTurn();
      const value = document.apply(old);
      await nextTurn();
      return check(value, document);
    };
    const { served } = await updateObject(context, call, { next, nextInTurns, dryRun, bytes: bytes.length });
    return answerObject(context, call, served, { headers: warningHeader(warnings) });
  });

/** How much of the patched object is printed: more than any message shows. */
const SHOWN_MAX = 8192;

interface PatchedObject {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** The patched document as an object of the kind. Throws the 422 when it is none. */
function checkPatched(
  context: VerbContext,
  call: ResourceCall,
  { value, complaints }: { readonly value: unknown; readonly complaints: readonly string[] },
  fieldValidation: FieldValidation,
): PatchedObject {
  const { definition } = call;
  const fields = recordOf(value);
  const type = documentType(fields, definition);
  const wrong =
    typeMetaProblem(value) ??
    (type === undefined ? 'unexpected GroupVersion string' : typeProblem(context, fields, type, definition)) ??
    definition.decodeProblem(fields);
  const all = fieldValidation === 'Ignore' ? [] : [...complaints, ...unknownFieldComplaints(definition.plan(), fields)];
  const problem = wrong ?? (fieldValidation === 'Strict' && all.length > 0 ? strictError(all) : undefined);
  if (problem !== undefined) {
    throw invalid({ group: '', kind: '' }, '', [fieldInvalid('patch', jsonCut(value, SHOWN_MAX), problem)]);
  }
  const object = inRequestNamespace(call, typedObject(definition, fields));
  requireRequestName(call, object);
  return { object, warnings: all };
}
