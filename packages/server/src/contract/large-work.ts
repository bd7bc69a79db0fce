/** Work on large objects, which runs in another thread because it would block the event loop. */

import type { TypeName } from '@listwatch/schema';
import type { ReadKind } from '../kinds/read-kind.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ApiRequest, UserInfo } from './api-request.ts';
import type { SentMetadata } from './audit.ts';
import type { AccessAttributes, AccessDecision } from './authorization.ts';
import type { GrantQuestion, GrantVerdict } from './role-granting.ts';
import type { Route } from './route.ts';
import type { ResourceCall } from './verb.ts';
import type { WorkFlow } from './work-flow.ts';

/** How an object is written. The last two write its Scale. */
export type WriteWay = 'create' | 'update' | 'patch' | 'scale-update' | 'scale-patch';

/** One attempt of a write, as plain data: all that the stages from `decode` to `encode` need. */
export interface WriteAttempt {
  readonly way: WriteWay;
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
  readonly path: ResourceCall['path'];
  readonly route: Route;
  /** The query as sent. */
  readonly query: string;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  readonly user: UserInfo;
  readonly body: Uint8Array;
  readonly key: string;
  /** The stored object; undefined on a creation. */
  readonly current: Uint8Array | undefined;
  readonly currentRevision: bigint;
  /** Would a write of the same object change what is stored? */
  readonly isStale: boolean;
  readonly now: number;
  /** The uid of a new object. */
  readonly uid: string;
  /** The part of the sent object that the audit log records. */
  readonly audit: 'nothing' | 'name' | 'object';
}

/** The change that an attempt would commit, as plain data. */
export interface WriteDraft {
  readonly change: 'none' | 'put' | 'delete';
  readonly key: string;
  /** The object to put, or the last state of one that is removed. */
  readonly value: Uint8Array | undefined;
  /** The labels and the selectable fields of the object to put, as JSON. */
  readonly selectable: Uint8Array | undefined;
  readonly name: string;
  /** The server made the name: if it is taken, another one is made. */
  readonly isNameMade: boolean;
}

/** An object of another kind. */
export interface NamedObject {
  /** The name of its schema, such as `core/v1.Node`. */
  readonly type: TypeName;
  readonly namespace: string;
  readonly name: string;
}

/** A question of an attempt to the thread that has the caches and the store. Bytes are JSON. */
export type WriteQuestion =
  /** Reports the sent object to the audit log. `object` is set when the audit log records whole objects. */
  | { readonly type: 'sent'; readonly metadata: SentMetadata; readonly object: Uint8Array | undefined }
  /** May an object of this name be created? Checks its namespace and the definition of its kind. */
  | { readonly type: 'place'; readonly name: string | undefined; readonly generateName: string | undefined }
  /** May the user create the object of this PUT or apply? */
  | { readonly type: 'may-create' }
  /** Objects in the caches. */
  | {
      readonly type: 'cached';
      readonly lists: readonly Omit<NamedObject, 'name'>[];
      readonly objects: readonly NamedObject[];
    }
  | { readonly type: 'namespace'; readonly name: string }
  /** A page of the Pods of a namespace, after a name. */
  | { readonly type: 'pods'; readonly namespace: string; readonly after: string }
  | { readonly type: 'authorize'; readonly attributes: AccessAttributes }
  /** Does the user have the rights that the role or binding grants? */
  | { readonly type: 'granting'; readonly namespace: string; readonly wanted: GrantQuestion }
  | { readonly type: 'allocate'; readonly object: Uint8Array; readonly old: Uint8Array | undefined }
  /** Can a policy or webhook match? */
  | { readonly type: 'concerns'; readonly pass: 'mutating' | 'validating' }
  /** One round of mutating policies and webhooks. */
  | {
      readonly type: 'mutate';
      readonly round: 0 | 1;
      readonly object: Uint8Array;
      readonly old: Uint8Array | undefined;
    }
  /** The validating policies and webhooks. */
  | { readonly type: 'validate'; readonly object: Uint8Array; readonly old: Uint8Array | undefined }
  | { readonly type: 'has-quotas'; readonly namespace: string }
  | { readonly type: 'charge'; readonly object: Uint8Array; readonly old: Uint8Array | undefined };

/** The answers to the questions, by their types. */
export interface WriteAnswers {
  readonly sent: object;
  readonly place: object;
  readonly 'may-create': object;
  /** `{"lists":[[...]],"objects":[...]}` in the order of the question; `null` for an object that is missing. */
  readonly cached: { readonly found: Uint8Array };
  readonly namespace: { readonly found: Uint8Array | undefined };
  /** A JSON list, and the name that the next page starts after; undefined on the last page. */
  readonly pods: { readonly found: Uint8Array; readonly next: string | undefined };
  readonly authorize: { readonly decision: AccessDecision };
  readonly granting: { readonly verdict: GrantVerdict };
  /** The object with its allocated values; undefined when there is nothing to allocate. */
  readonly allocate: { readonly object: Uint8Array | undefined };
  readonly concerns: { readonly isConcerned: boolean };
  /** The changed object; undefined when nothing has changed. */
  readonly mutate: { readonly object: Uint8Array | undefined };
  readonly validate: object;
  readonly 'has-quotas': { readonly hasQuotas: boolean };
  readonly charge: object;
}

/** A value that many attempts need, such as the bytes of a CustomResourceDefinition: sent once to each worker. */
export interface SharedValue {
  /** Another value has another key: name the version in it. */
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** How an attempt is run. */
export interface AttemptOptions {
  readonly signal: AbortSignal;
  /** Whose work it is. */
  readonly flow: WorkFlow | undefined;
  readonly warn: (text: string) => void;
  readonly answer: (question: WriteQuestion) => Promise<object>;
}

/** A part of the answer of a large object. */
export interface FormOrder {
  /** The object as YAML, as an item of a YAML list, as a protobuf message, or the cells of its row as JSON. */
  readonly form: 'cells' | 'item' | 'message' | 'yaml';
  /** The object as JSON. */
  readonly served: Uint8Array;
  /** Cells say how old the object is. */
  readonly now: number;
}

/** Runs work on large objects in another thread. */
export interface LargeWork {
  /** Does a write of this many bytes, sent and stored, run in the other thread? */
  takes(definition: ResourceDefinition, bytes: number): boolean;
  /** Is an object of this many bytes encoded in this form in the other thread? */
  takesForm(form: FormOrder['form'], kind: ReadKind, bytes: number): boolean;
  /** Makes a part of an answer. */
  form(kind: ReadKind, order: FormOrder, request: Pick<ApiRequest, 'flow' | 'signal'>): Promise<Buffer>;
  /** Runs an attempt. Rejects with the refusal of the write, or with the failure to answer when there is no result. */
  draft(definition: ResourceDefinition, attempt: WriteAttempt, options: AttemptOptions): Promise<WriteDraft>;
}

/** As much of it as reads need. */
export type LargeForms = Pick<LargeWork, 'form' | 'takesForm'>;

/** Runs all work on the calling thread, whatever its size. */
export const NO_LARGE_WORK: LargeWork = {
  takes: () => false,
  takesForm: () => false,
  form: () => Promise.reject(new TypeError('there is no other thread')),
  draft: () => Promise.reject(new TypeError('there is no other thread')),
};
