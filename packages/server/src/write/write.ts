/** One write on its way through the stages of the pipeline. */

import type { FieldError } from '@listwatch/api';
import type { AdmissionRequest, KubeObject, ManagedFields } from '@listwatch/rules/internal';
import type { Entry, Revision } from '@listwatch/storage';
import type { Allocation, HeldGuard, WriteOutcome } from '../contract/admission.ts';
import type { AdmittedWrite, MutatingRun } from '../contract/dynamic-admission.ts';
import type { WriteWay } from '../contract/large-work.ts';
import type { ObjectStore, ResourceCall, VerbContext } from '../contract/verb.ts';
import { endWithRequest } from '../stored/request-signal.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import { WriteInPass } from './admission/dynamic/write-in-pass.ts';
import type { RequestBody } from './body/request-body.ts';
import type { WriteOptions } from './body/write-options.ts';
import type { OwnersOf } from './owners/field-owners.ts';
import type { PatchView } from './owners/patch-view.ts';

/** A stage. Returns the stage to retry from; undefined: continue. Throws the refusal of the write. One that waits for nothing returns no promise. */
export type Stage = (write: Write) => Promise<Stage | undefined> | Stage | undefined;

/** The change of the key of the object. */
export type KeyChange =
  | { readonly type: 'none' }
  /** `object`: what the bytes were made of; absent when another thread has made them. */
  | { readonly type: 'put'; readonly made: WrittenObject; readonly object?: KubeObject }
  | { readonly type: 'delete' };

/** The differences between create, update, patch and apply. */
export interface WritePlan {
  /** Creates the object without reading its key first. Default: false. */
  readonly isCreate?: boolean | undefined;
  /** Computes the new object from the stored one; called again after a lost compare. Default: the decoded body. */
  readonly next?: ((old: KubeObject | undefined, warn: (text: string) => void) => KubeObject) | undefined;
  /** Computes `managedFields`. Default: the manager of the request owns the fields that it has changed. */
  readonly owners?: OwnersOf | undefined;
  /** A missing object is created, whatever the kind says (apply). Default: as the kind says. */
  readonly creates?: boolean | undefined;
  /** An object that is too large only with its owners is stored without them. Default: true. */
  readonly dropsOwners?: boolean | undefined;
  readonly options?: WriteOptions | undefined;
  /** Change only the object with this uid. Default: the one in the body. */
  readonly uid?: string | undefined;
  /** The size of the request body. Default: that of the body that `read` reads. */
  readonly bytes?: number | undefined;
  /** The form of the object that is written in its place (Scale): dynamic admission sees it. Default: the object. */
  readonly view?: PatchView | undefined;
  /** The server itself makes the change: no webhook and no policy sees it. Default: false. */
  readonly isOwn?: boolean | undefined;
  /** The stages to run in the worker when the write is large. Default: it never runs there. */
  readonly way?: WriteWay | undefined;
}

const NO_OPTIONS: WriteOptions = { dryRun: false, fieldValidation: 'Warn', fieldManager: '', force: false };
const NOTHING: KubeObject = { apiVersion: '', kind: '', metadata: {} };

/** The state of a write. Each stage reads the fields that earlier stages have set. */
export class Write {
  readonly context: VerbContext;
  readonly call: ResourceCall;
  readonly plan: WritePlan;
  /** The store as the kind sees it. */
  readonly store: ObjectStore;
  options: WriteOptions;
  body: RequestBody | undefined;
  /** The size of the body. */
  bytes: number;
  /** The object that the client wants: its body, or the result of its patch. */
  asked: KubeObject = NOTHING;
  /** The body in canonical form, before the server changed its metadata; undefined when it has yet to be brought into it. */
  formed: KubeObject | undefined;
  /** The key as it was read. */
  key = '';
  current: Entry | undefined;
  /** `current` is from a cache and may be stale: only a successful commit proves that it is not. */
  isCached = false;
  /** The stored object; undefined on a creation. */
  old: KubeObject | undefined;
  /** The object with defaults, before admission. */
  prepared: KubeObject = NOTHING;
  /** The object after mutating admission, in canonical form. */
  admitted: KubeObject = NOTHING;
  /** The object as it will be stored, except for its `managedFields` on an update. */
  object: KubeObject = NOTHING;
  owners: ManagedFields;
  /** The errors in the `managedFields` that the client has sent. */
  ownerErrors: readonly FieldError[] = [];
  /** Other objects that must not change between their check and the commit. */
  held: readonly HeldGuard[] = [];
  allocation: Allocation | undefined;
  charged: AdmissionRequest | undefined;
  change: KeyChange = { type: 'none' };
  /** The last state of an object that is removed. */
  removed: WrittenObject | undefined;
  /** The revision of the change; undefined when nothing was written. */
  revision: Revision | undefined;
  /** The state of policies and webhooks between the two rounds of a large write. */
  runs: readonly MutatingRun[] = [];
  /** The server generates the name. */
  isNameMade = false;
  /** The number of generated names that were taken. */
  takenNames = 0;
  /** Warnings of this attempt, told to the client at the end. */
  readonly warnings: string[] = [];

  constructor(context: VerbContext, call: ResourceCall, plan: WritePlan = {}) {
    this.context = context;
    this.call = call;
    this.plan = plan;
    this.store = context.kinds.storeOf(call.definition);
    this.options = plan.options ?? NO_OPTIONS;
    this.bytes = plan.bytes ?? 0;
  }

  /** The write as admission sees it. */
  admissionRequest(object: KubeObject, old: KubeObject | undefined = this.old): AdmissionRequest {
    const { definition, path, request } = this.call;
    return {
      operation: old === undefined ? 'CREATE' : 'UPDATE',
      resource: definition.resource,
      type: definition.data.type,
      subresource: path.subresource,
      requestedName: path.name,
      object,
      old,
      user: request.user,
      dryRun: this.options.dryRun,
      warn: (text) => this.warnings.push(text),
      throwIfAborted: () => request.throwIfAborted(),
    };
  }

  /** The write as webhooks and policies see it; undefined for the server's own changes. */
  asAdmitted(pass: 'mutating' | 'validating'): AdmittedWrite | undefined {
    return this.plan.isOwn === true ? undefined : new WriteInPass(this, pass);
  }

  /** Reads the key from the store. */
  async read(): Promise<Entry | undefined> {
    const { engine } = this.store;
    return (await engine.get(this.key, endWithRequest(engine, this.call.request))).entry;
  }

  /** Replaces a cached entry by that of the store; true when they differ. */
  async refresh(): Promise<boolean> {
    const known = this.current;
    this.current = await this.read();
    this.isCached = false;
    return this.current?.modRevision !== known?.modRevision;
  }

  /** Releases the reservations of the attempt with its outcome. */
  settle(outcome: WriteOutcome): void {
    const { allocation } = this;
    this.allocation = undefined;
    allocation?.release(outcome);
  }
}
