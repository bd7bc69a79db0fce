/** A write as dynamic admission sees it: the object with its `managedFields`, or the written form of it (Scale). */

import { quote } from '@listwatch/api';
import { isRecord, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { type KubeObject, managedFieldsIn, withManagedFields } from '@listwatch/rules/internal';
import type { AdmittedWrite, DynamicRequest, RequestHead } from '../../../contract/dynamic-admission.ts';
import { ownedForm } from '../../owners/patch-view.ts';
import type { Write } from '../../write.ts';
import { writeOptionsObject } from './options-object.ts';
import { requestHead, requestParts } from './request-head.ts';

/** The view of a write in one of the passes. Made only where a policy or webhook may match. */
export function admittedWrite(write: Write, pass: 'mutating' | 'validating'): AdmittedWrite {
  const { call, plan, old, context, options } = write;
  const { view } = plan;
  const operation = old === undefined && write.current === undefined ? 'CREATE' : 'UPDATE';
  const asked = call.path.name || write.asked.metadata.name || '';
  const head: RequestHead = requestHead(call, operation, asked, view?.subresource);
  const owned = (object: KubeObject): KubeObject =>
    withManagedFields(pass === 'validating' ? versioned(object, old) : object, write.owners);
  const requestOf = (object: KubeObject, stored: KubeObject | undefined): DynamicRequest => {
    const name = asked || object.metadata.name || '';
    const parts = { request: call.request, warn: (text: string) => write.warnings.push(text) };
    const { user, flow, warn, annotate, isRecorded, remainingMs } = requestParts(context, parts);
    return {
      ...(head.namespace === '' ? requestHead(call, operation, name, view?.subresource) : head),
      user,
      flow,
      warn,
      annotate,
      isRecorded,
      remainingMs,
      // A getter: the first read creates the signal, and most requests never need it.
      get signal() {
        return call.request.signal;
      },
      kind: view?.definition ?? call.definition,
      name,
      object,
      old: stored,
      options: writeOptionsObject(operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', call.request.query),
      dryRun: options.dryRun,
    };
  };
  return {
    head,
    get runs() {
      return write.runs;
    },
    set runs(runs) {
      write.runs = runs;
    },
    requestOf,
    request(object) {
      if (view === undefined) return requestOf(owned(object), old);
      return requestOf(ownedForm(view, owned(object)), old && ownedForm(view, old));
    },
    // The written form of an object (Scale) has labels of its own.
    labelled: (object) => (view === undefined ? { object, old } : undefined),
    taken(object, changed) {
      if (view !== undefined) return view.change(changed, object);
      takeOwners(write, changed);
      return withoutOwners(changed);
    },
  };
}

/** An update without a resourceVersion gets that of the stored object. */
function versioned(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const version = old?.metadata.resourceVersion;
  if (version === undefined || object.metadata.resourceVersion) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: version } };
}

/** Takes the `managedFields` that a webhook has changed. Ignores invalid ones, with a warning. */
function takeOwners(write: Write, { metadata }: KubeObject): void {
  const sent = metadata['managedFields'];
  if (sameJson(sent, write.owners)) return;
  const problem = ownersProblem(sent);
  if (problem === undefined) {
    write.owners = managedFieldsIn(sent);
    return;
  }
  write.warnings.push(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}

/** Why the entries cannot be read: the first problem, in the words of Kubernetes. */
function ownersProblem(sent: unknown): string | undefined {
  for (const [index, entry] of recordsOf(sent).entries()) {
    const { operation, apiVersion = '', fieldsType = '', fieldsV1 = {} } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (apiVersion === '') return 'apiVersion must not be empty';
    if (fieldsType === '') return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== 'FieldsV1')
      return `invalid fieldsType ${quote(textOf(fieldsType))} in managed fields entry ${index}`;
    if (!isRecord(fieldsV1)) return `error decoding versioned set from managed fields entry ${index}`;
  }
  return undefined;
}

function withoutOwners(object: KubeObject): KubeObject {
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}
