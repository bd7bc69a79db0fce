/** A write as dynamic admission sees it: the object with its `managedFields`, or the written form of it (Scale). */

import { quote } from '@listwatch/api';
import { isRecord, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { type KubeObject, managedFieldsIn, withManagedFields } from '@listwatch/rules/internal';
import type {
  AdmittedWrite,
  DynamicRequest,
  MutatingRun,
  RequestHead,
  RequestObjects,
} from '../../../contract/dynamic-admission.ts';
import { ownedForm } from '../../owners/patch-view.ts';
import type { Write } from '../../write.ts';
import { writeOptionsObject } from './options-object.ts';
import { requestHead, requestParts } from './request-head.ts';

/** The view of a write in one of the passes, made only where a policy or webhook may match. A class: V8 makes a hidden class for each object with an accessor of its own. */
export class WriteInPass implements AdmittedWrite {
  readonly head: RequestHead;
  readonly #write: Write;
  readonly #pass: 'mutating' | 'validating';
  readonly #asked: string;

  constructor(write: Write, pass: 'mutating' | 'validating') {
    const { call, plan, asked } = write;
    this.#write = write;
    this.#pass = pass;
    this.#asked = call.path.name || asked.metadata.name || '';
    this.head = requestHead(call, operationOf(write), this.#asked, plan.view?.subresource);
  }

  get runs(): readonly MutatingRun[] {
    return this.#write.runs;
  }

  set runs(runs: readonly MutatingRun[]) {
    this.#write.runs = runs;
  }

  requestOf(object: KubeObject, stored: KubeObject | undefined): DynamicRequest {
    const { call, plan, context, options, warnings } = this.#write;
    const { view } = plan;
    const { head } = this;
    const name = this.#asked || object.metadata.name || '';
    const parts = { request: call.request, warn: (text: string) => warnings.push(text) };
    return {
      ...(head.namespace === '' ? requestHead(call, head.operation, name, view?.subresource) : head),
      ...requestParts(context, parts),
      kind: view?.definition ?? call.definition,
      name,
      object,
      old: stored,
      options: writeOptionsObject(head.operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', call.request.query),
      dryRun: options.dryRun,
    };
  }

  request(object: KubeObject): DynamicRequest {
    const { plan, old } = this.#write;
    const { view } = plan;
    if (view === undefined) return this.requestOf(this.#owned(object), old);
    return this.requestOf(ownedForm(view, this.#owned(object)), old && ownedForm(view, old));
  }

  /** The written form of an object (Scale) has labels of its own. */
  labelled(object: KubeObject): RequestObjects | undefined {
    const { plan, old } = this.#write;
    return plan.view === undefined ? { object, old } : undefined;
  }

  taken(object: KubeObject, changed: KubeObject): KubeObject {
    const { view } = this.#write.plan;
    if (view !== undefined) return view.change(changed, object);
    takeOwners(this.#write, changed);
    return withoutOwners(changed);
  }

  #owned(object: KubeObject): KubeObject {
    const { old, owners } = this.#write;
    return withManagedFields(this.#pass === 'validating' ? versioned(object, old) : object, owners);
  }
}

function operationOf({ old, current }: Write): 'CREATE' | 'UPDATE' {
  return old === undefined && current === undefined ? 'CREATE' : 'UPDATE';
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
