/** PATCH on an object or on a subresource of it: JSON patch, merge patch, strategic merge patch, and server-side apply. */

import { fieldInvalid, invalid, MEDIA_TYPE, notFound } from '@listwatch/api';
import { jsonCut, resumableSteps } from '@listwatch/api/internal';
import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { conversionProblem, finishInTurns, goText, strictError, unknownFieldComplaints } from '@listwatch/schema';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { CustomParts, ResourceDefinition } from '../kinds/resource-definition.ts';
import { applyObject } from './apply.ts';
import { decodeCustomPatched } from './body/custom-body.ts';
import { typedObject } from './body/decode-object.ts';
import type { FieldValidation } from './body/field-check.ts';
import { mediaTypeOf } from './body/request-body.ts';
import { documentType, typeMetaProblem, typeProblem } from './body/type-problem.ts';
import { nextTurn } from './event-loop-turn.ts';
import { requestOwners } from './managers/field-owners.ts';
import { type PatchView, viewOwners } from './managers/patch-view.ts';
import { inRequestNamespace, requireRequestName } from './object-identity.ts';
import { type UpdatedObject, updateObject } from './object-update.ts';
import { type PatchDocument, type PatchedDocument, readPatch, requirePatchType } from './patching/patch-document.ts';
import { distinctOwners } from './repeated-owners.ts';
import { addWarnings } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/**
 * Patches the object: 200. After a conflict the patch is applied to the newest state again. A resourceVersion in the patch
 * ties it to one state.
 */
export const patch: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { served, created } = await patchObject(context, call);
    return answerObject(context, call, served, { status: created ? 201 : 200 });
  });

/** Applies the patch in the body to the object that the call names, or to a form of it. */
export async function patchObject(context: VerbContext, call: ResourceCall, view?: PatchView): Promise<UpdatedObject> {
  const { definition, request, path } = call;
  const shown = view === undefined ? call : { ...call, definition: view.definition };
  const mediaType = mediaTypeOf(request.header('content-type'));
  requirePatchType(mediaType, definition);
  const bytes = await request.body();
  if (mediaType === MEDIA_TYPE.applyPatch) return applyObject(context, call, bytes, view);
  const { dryRun, fieldValidation, fieldManager } = readWriteOptions('PatchOptions', request.query);
  const owners =
    view === undefined ? requestOwners(context, call, fieldManager) : viewOwners(context, call, view, fieldManager);
  let document: PatchDocument | undefined;
  const checked = (made: PatchedDocument, { complaints }: PatchDocument): PatchedObject =>
    checkPatched(context, shown, { ...made, complaints }, fieldValidation);
  const take = (patched: PatchedObject, old: KubeObject): KubeObject => {
    const distinct = distinctOwners(patched.object, 'after mutating admission happens');
    addWarnings(call, [...patched.warnings, ...distinct.warnings]);
    return view?.change(distinct.object, old) ?? distinct.object;
  };
  const next = (old: KubeObject | undefined): KubeObject => {
    if (old === undefined) throw notFound(definition.resource, path.name);
    // A missing object is reported before a broken patch.
    document ??= readPatch(shown.definition, mediaType, bytes);
    return take(checked(document.apply(view?.show(old) ?? old), document), old);
  };
  const nextInTurns = async (old: KubeObject | undefined): Promise<KubeObject> => {
    if (old === undefined) return next(old);
    document ??= readPatch(shown.definition, mediaType, bytes);
    await nextTurn();
    const made = document.apply(view?.show(old) ?? old);
    await nextTurn();
    const read = document;
    return take(
      await finishInTurns(
        resumableSteps(() => checked(made, read)),
        nextTurn,
      ),
      old,
    );
  };
  return updateObject(context, call, { next, nextInTurns, owners, dryRun, bytes: bytes.length });
}

/** How much of the patched object is printed: more than any message shows. */
const SHOWN_MAX = 8192;

interface PatchedObject {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** A patched document with the complaints about the patch. */
interface CheckedDocument extends PatchedDocument {
  readonly complaints: readonly string[];
}

/** The patched document as an object of the kind. Throws the 422 when it is none. */
function checkPatched(
  context: VerbContext,
  call: ResourceCall,
  document: CheckedDocument,
  fieldValidation: FieldValidation,
): PatchedObject {
  const { definition } = call;
  if (definition.custom !== undefined) return checkCustom(call, definition.custom, document, fieldValidation);
  const { value, rest } = document;
  const fields = recordOf(value);
  // kube-apiserver converts what a strategic merge patch has made: it has other words for errors, and ignores kind and apiVersion.
  const wrong =
    rest === undefined ? decodeProblem(context, definition, value) : conversionProblem(definition.plan(), value);
  const all = fieldValidation === 'Ignore' ? [] : complaintsAbout(definition, document);
  const problem = wrong ?? (fieldValidation === 'Strict' && all.length > 0 ? strictError(all) : undefined);
  if (problem !== undefined) {
    const shown = rest === undefined ? jsonCut(value, SHOWN_MAX) : goText(rest);
    throw invalid({ group: '', kind: '' }, '', [fieldInvalid('patch', shown, problem)]);
  }
  const object = inRequestNamespace(call, typedObject(definition, fields));
  requireRequestName(call, object);
  return { object, warnings: all };
}

/** The same for a custom kind. */
function checkCustom(
  call: ResourceCall,
  { schema }: CustomParts,
  { value, complaints }: CheckedDocument,
  fieldValidation: FieldValidation,
): PatchedObject {
  const decoded = decodeCustomPatched(call.definition, schema, value);
  const all = decoded.problem !== undefined || fieldValidation === 'Ignore' ? [] : [...complaints, ...decoded.warnings];
  const strict = fieldValidation === 'Strict' && all.length > 0 ? strictError(all) : undefined;
  if (decoded.problem !== undefined || strict !== undefined) {
    const problem = decoded.problem ?? strict ?? '';
    throw invalid({ group: '', kind: '' }, '', [fieldInvalid('patch', jsonCut(value, SHOWN_MAX), problem)]);
  }
  const object = inRequestNamespace(call, decoded.object);
  requireRequestName(call, object);
  return { object, warnings: all };
}

function decodeProblem(context: VerbContext, definition: ResourceDefinition, value: unknown): string | undefined {
  const fields = recordOf(value);
  const type = documentType(fields, definition);
  return (
    typeMetaProblem(value) ??
    (type === undefined ? 'unexpected GroupVersion string' : typeProblem(context, fields, type, definition)) ??
    definition.decodeProblem(fields)
  );
}

function complaintsAbout(
  definition: ResourceDefinition,
  { value, rest, complaints }: CheckedDocument,
): readonly string[] {
  const unknown = unknownFieldComplaints(definition.plan(), value);
  return [...complaints, ...(rest === undefined ? unknown : unknown.toSorted(compareTexts))];
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : 1;
}
