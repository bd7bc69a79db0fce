/** Server-side apply: PATCH with `application/apply-patch+yaml`. */

import { applyConflict, conflict, unknownError } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import {
  distinctOwners,
  inRequestNamespace,
  type KubeObject,
  type ManagedFields,
  managedFieldsIn,
  managedFieldsOf,
  requireRequestName,
  withManagedFields,
} from '@listwatch/rules/internal';
import {
  applyConfiguration,
  conversionProblem,
  type OwnershipContext,
  OwnershipError,
  type SuccessfulApply,
} from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { OwnedWrite } from '../owners/field-owners.ts';
import { ownedForm, type PatchView } from '../owners/patch-view.ts';
import type { WritePlan } from '../write.ts';
import { type ApplyBody, readApplyBody, repeatedKeys } from './apply-body.ts';
import { typedObject } from './decode-object.ts';
import { requestedVersion } from './requested-version.ts';
import { readWriteOptions, type WriteOptions } from './write-options.ts';

/** How a configuration is applied to the object, or to a form of it. A missing object is created. */
export function applyPlan(context: VerbContext, call: ResourceCall, bytes: Buffer, view?: PatchView): WritePlan {
  const options = readWriteOptions('ApplyOptions', call.request.query);
  const shown = view === undefined ? call : { ...call, definition: view.definition };
  const ownership = context.kinds.ownershipOf(shown.definition, view?.subresource ?? call.path.subresource);
  let body: ApplyBody | undefined;
  const applied = function (old: KubeObject | undefined, warn: (text: string) => void): KubeObject {
    body ??= readApplyBody(shown.definition, bytes);
    const live = view === undefined || old === undefined ? old : ownedForm(view, old);
    const result = applyTo(ownership, live, body, options);
    requireConvertible(shown.definition, result);
    const { complaints } = body;
    if (complaints.length > 0 && options.fieldValidation === 'Strict') throw repeatedKeys(complaints);
    const distinct = distinctOwners(placedObject(shown, result, live), 'after mutating admission happens');
    const repeated = options.fieldValidation === 'Warn' ? complaints : [];
    for (const text of [...repeated, ...distinct.warnings]) warn(text);
    const made = withManagedFields(distinct.object, result.managedFields);
    return view === undefined || old === undefined ? made : throughView(view, made, old);
  };
  return {
    options,
    next: applied,
    owners: appliedOwners,
    creates: view === undefined,
    dropsOwners: false,
    bytes: bytes.length,
    view,
  };
}

/** The owners that were computed with the object. */
function appliedOwners({ sent }: OwnedWrite): ManagedFields {
  return managedFieldsIn(sent);
}

/** Throws the 409 for fields of other managers, the 500 for an object that does not fit the schema. */
function applyTo(
  ownership: OwnershipContext,
  live: KubeObject | undefined,
  { config }: ApplyBody,
  { fieldManager: manager, force }: WriteOptions,
): SuccessfulApply {
  try {
    const result = applyConfiguration(ownership, { live, config, manager, force });
    if (result.outcome === 'conflict') throw applyConflict(result.message, result.causes);
    return result;
  } catch (error) {
    // kube-apiserver has no other word for an object that does not fit its schema.
    throw error instanceof OwnershipError ? unknownError(error.message) : error;
  }
}

/** Throws the 500 for a value that apply takes and the kind does not, such as a fraction for an integer. */
function requireConvertible(definition: ResourceDefinition, { object, isChanged }: SuccessfulApply): void {
  const { plan, resource, custom } = definition;
  // `validate` checks a custom object against its schema later.
  const problem = isChanged && custom === undefined ? conversionProblem(plan(), object) : undefined;
  if (problem === undefined) return;
  const { group, version, kind } = resource;
  const { namespace, name } = recordOf(object['metadata']);
  const type = `${group}/${version}, Kind=${kind}`;
  throw unknownError(
    `failed to convert new object (${textOf(namespace)}/${textOf(name)}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${problem}`,
  );
}

/** The result under the name and in the namespace of the path. Throws the 400 for others, the 409 for the uid of a missing object. */
function placedObject(call: ResourceCall, { object }: SuccessfulApply, live: KubeObject | undefined): KubeObject {
  const { definition, path } = call;
  const typed = typedObject(definition, object);
  const { uid = '', resourceVersion = '' } = typed.metadata;
  if (live === undefined && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(definition.resource, path.name, why);
  }
  const placed = inRequestNamespace(call, typed);
  requireRequestName(call, placed);
  if (live !== undefined || resourceVersion === '') return placed;
  // A missing object has no version to compare with; kube-apiserver only parses it.
  requestedVersion(resourceVersion);
  const { resourceVersion: _version, ...metadata } = placed.metadata;
  return { ...placed, metadata };
}

/** The object that an applied form stands for. */
function throughView(view: PatchView, form: KubeObject, old: KubeObject): KubeObject {
  const object = view.change(form, old);
  return withManagedFields(object, view.ownersOfObject(managedFieldsOf(form), old));
}
