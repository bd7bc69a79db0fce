/** One write on its way through the stages of the pipeline. */

import type { FieldError } from '@listwatch/api';
import type { AdmissionRequest, KubeObject, ManagedFields } from '@listwatch/rules/internal';
import type { Entry, Revision } from '@listwatch/storage';
import type { Allocation, HeldGuard, WriteOutcome } from '../contract/admission.ts';
import type { ObjectStore, ResourceCall, VerbContext } from '../contract/verb.ts';
import { endWithRequest } from '../stored/request-signal.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { RequestBody } from './body/request-body.ts';
import type { WriteOptions } from './body/write-options.ts';
import type { OwnersOf } from './owners/field-owners.ts';

/** A stage. It gives the stage to go back to, or nothing to go on. Throws the refusal of the write. */
export type Stage = (write: Write) => Promise<Stage | undefined>;

/** What is done to the key of the object. */
export type KeyChange =
  | { readonly type: 'none' }
  | { readonly type: 'put'; readonly made: WrittenObject }
  | { readonly type: 'delete' };

/** The circumstances of a merge. */
export interface MergeOptions {
  readonly warn: (text: string) => void;
  /** The objects are large: the work is done in several turns of the event loop. */
  readonly isLarge: boolean;
}

/** What differs between the ways to write. */
export interface WritePlan {
  /** A new object; the key is not read before. Default: false. */
  readonly isCreate?: boolean | undefined;
  /** The new object for the stored one; called again after a lost compare. Default: what `decode` has read. */
  readonly next?:
    | ((old: KubeObject | undefined, options: MergeOptions) => Promise<KubeObject> | KubeObject)
    | undefined;
  /** Who owns the fields afterwards. Default: the manager of the request gets what it has changed. */
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
}

const NO_OPTIONS: WriteOptions = { dryRun: false, fieldValidation: 'Warn', fieldManager: '', force: false };
const NOTHING: KubeObject = { apiVersion: '', kind: '', metadata: {} };

/** Stages read what earlier ones have set. */
export class Write {
  readonly context: VerbContext;
  readonly call: ResourceCall;
  readonly plan: WritePlan;
  /** The store as the kind sees it. */
  readonly store: ObjectStore;
  options: WriteOptions;
  body: RequestBody | undefined;
  /** The size of the body and of the stored object: large ones are worked on in several turns. */
  bytes: number;
  /** What the client asks for: its object, or the result of its patch. */
  asked: KubeObject = NOTHING;
  /** The key as it was read. */
  key = '';
  current: Entry | undefined;
  /** `current` is from a cache and may be old: it counts only when it is committed. */
  isCached = false;
  /** The stored object; undefined on a creation. */
  old: KubeObject | undefined;
  /** With defaults and what the server sets: before admission. */
  prepared: KubeObject = NOTHING;
  /** As it will be stored, but for its owners on an update. */
  object: KubeObject = NOTHING;
  owners: ManagedFields;
  /** What is wrong with the owners that the client has sent. */
  ownerErrors: readonly FieldError[] = [];
  /** What must be as it was checked when the change is committed. */
  held: readonly HeldGuard[] = [];
  allocation: Allocation | undefined;
  charged: AdmissionRequest | undefined;
  change: KeyChange = { type: 'none' };
  /** The last state of an object that is removed. */
  removed: WrittenObject | undefined;
  /** The revision of the change; undefined when nothing was written. */
  revision: Revision | undefined;
  /** Names that were made and found taken. */
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
  admissionRequest(object: KubeObject): AdmissionRequest {
    const { definition, path, request } = this.call;
    return {
      operation: this.old === undefined ? 'CREATE' : 'UPDATE',
      resource: definition.resource,
      type: definition.data.type,
      subresource: path.subresource,
      object,
      old: this.old,
      user: request.user,
      dryRun: this.options.dryRun,
      warn: (text) => this.warnings.push(text),
      throwIfAborted: () => request.throwIfAborted(),
    };
  }

  /** Reads the key from the store. */
  async read(): Promise<Entry | undefined> {
    const { engine } = this.store;
    return (await engine.get(this.key, endWithRequest(engine, this.call.request))).entry;
  }

  /** Reads the store where the cache was asked before; true when it has another entry. */
  async refresh(): Promise<boolean> {
    const known = this.current;
    this.current = await this.read();
    this.isCached = false;
    return this.current?.modRevision !== known?.modRevision;
  }

  /** Tells how the attempt ended: what was reserved for it is released. */
  settle(outcome: WriteOutcome): void {
    const { allocation } = this;
    this.allocation = undefined;
    allocation?.release(outcome);
  }
}
