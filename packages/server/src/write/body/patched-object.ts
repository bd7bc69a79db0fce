/** The JSON patch, the merge patch and the strategic merge patch of an object. */

import { fieldInvalid, invalid, notFound } from '@listwatch/api';
import { jsonCut } from '@listwatch/api/internal';
import { recordOf } from '@listwatch/api/values';
import { distinctOwners, inRequestNamespace, type KubeObject, requireRequestName } from '@listwatch/rules/internal';
import { conversionProblem, goText, strictError, unknownFieldComplaints } from '@listwatch/schema';
import type { ResourceCall, ServedKinds, VerbContext } from '../../contract/verb.ts';
import type { CustomParts, ResourceDefinition } from '../../kinds/resource-definition.ts';
import { type PatchView, viewOwners } from '../owners/patch-view.ts';
import type { WritePlan } from '../write.ts';
import { decodeCustomPatched } from './custom-body.ts';
import { typedObject } from './decode-object.ts';
import { type PatchDocument, type PatchedDocument, readPatch } from './patch-document.ts';
import { documentType, typeMetaProblem, typeProblem } from './type-problem.ts';
import { type FieldValidation, readWriteOptions } from './write-options.ts';

/** The body of a patch. */
export interface PatchBody {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The plan of a patch. The patch is parsed once, and applied again to the newest state after a lost compare. */
export function patchPlan(
  context: VerbContext,
  call: ResourceCall,
  { mediaType, bytes }: PatchBody,
  view?: PatchView,
): WritePlan {
  const { definition, request, path } = call;
  const shown = view === undefined ? call : { ...call, definition: view.definition };
  const options = readWriteOptions('PatchOptions', request.query);
  let document: PatchDocument | undefined;
  return {
    options,
    owners: view && viewOwners(context, call, view, options.fieldManager),
    creates: false,
    bytes: bytes.length,
    view,
    next(old, warn) {
      if (old === undefined) throw notFound(definition.resource, path.name);
      // A missing object is reported before a broken patch.
      document ??= readPatch(shown.definition, mediaType, bytes);
      const made = { ...document.apply(view?.show(old) ?? old), complaints: document.complaints };
      const patched = checkPatched(context.kinds, shown, made, options.fieldValidation);
      const distinct = distinctOwners(patched.object, 'after mutating admission happens');
      for (const text of [...patched.warnings, ...distinct.warnings]) warn(text);
      return view?.change(distinct.object, old) ?? distinct.object;
    },
  };
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
  kinds: Pick<ServedKinds, 'find'>,
  call: ResourceCall,
  document: CheckedDocument,
  fieldValidation: FieldValidation,
): PatchedObject {
  const { definition } = call;
  if (definition.custom !== undefined) return checkCustom(call, definition.custom, document, fieldValidation);
  const { value, rest } = document;
  const fields = recordOf(value);
  // kube-apiserver converts the result of a strategic merge patch: other error messages, kind and apiVersion ignored.
  const wrong =
    rest === undefined ? decodeProblem(kinds, definition, value) : conversionProblem(definition.plan(), value);
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

/** Like `checkPatched`, for a custom kind. */
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

function decodeProblem(
  kinds: Pick<ServedKinds, 'find'>,
  definition: ResourceDefinition,
  value: unknown,
): string | undefined {
  const fields = recordOf(value);
  const type = documentType(fields, definition);
  return (
    typeMetaProblem(value) ??
    (type === undefined ? 'unexpected GroupVersion string' : typeProblem(kinds, fields, type, definition)) ??
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
