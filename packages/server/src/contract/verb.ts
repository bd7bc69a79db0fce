/** The input and output of verbs. */

import type { ResourceRequestPath } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { OwnershipContext } from '@listwatch/schema';
import type { Clock, Entry, StorageEngine } from '@listwatch/storage';
import type { ReadKind } from '../kinds/read-kind.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { Admission, Warn } from './admission.ts';
import type { AnswerForm } from './answer-form.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiResponse, ResponseHeaders } from './api-response.ts';
import type { LargeForms, LargeWork } from './large-work.ts';

/** The status and headers of an answer. */
export interface AnswerOptions {
  /** Default: 200. */
  readonly status?: number | undefined;
  /** Beside the content type. Default: none. */
  readonly headers?: ResponseHeaders | undefined;
  /** The object of the bytes, where a verb has it: other forms are made without parsing the bytes. Default: they are parsed. */
  readonly object?: KubeObject | undefined;
}

/** Answers with an object, given as the JSON that is served, in the form that the call asks for. */
export type ObjectAnswer = (
  call: ReadCall,
  served: Buffer,
  options: AnswerOptions,
) => ApiResponse | Promise<ApiResponse>;

/** The context that all verbs share. */
export interface VerbContext {
  readonly store: ObjectStore;
  readonly admission: Admission;
  readonly kinds: ServedKinds;
}

/** Where objects are read and written. */
export interface ObjectStore {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** A new random uid. */
  readonly newUid: () => string;
  /**
   * The cached entry under a key of a kind; it may be older than the store. Undefined where a read of the store costs
   * no round trip.
   */
  cached(definition: ResourceDefinition, key: string): Entry | undefined;
  /** How many watch a kind now. Absent: nobody counts. */
  watchers?(definition: ResourceDefinition): number;
  /** Tells the cache of an object that is about to be committed, so that it need not parse the bytes. */
  announce(key: string, object: WrittenObject): void;
  /** The bytes to answer with after a write. The stored form of a custom kind may drop fields. */
  served(object: WrittenObject, revision: bigint): Promise<Buffer>;
}

/** The kinds that the server serves. */
export interface ServedKinds {
  /** The kind under a group, version and plural; undefined when there is none. */
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  /** The store as the verbs of a kind see it: a custom kind may be stored in another version than it is served in. */
  storeOf(definition: ReadKind): ObjectStore;
  /** How the owners of fields are tracked in writes through an endpoint of a kind whose schemas are loaded. */
  ownershipOf(definition: ResourceDefinition, subresource: string): OwnershipContext;
  /** Forms of an object other than JSON: tables, metadata, YAML. */
  readonly answer: ObjectAnswer;
  /** Runs work on large objects of a kind in another thread. */
  readonly large: LargeWork;
}

/** One call of a verb: routed, authorized, negotiated. */
export interface ResourceCall {
  readonly request: ApiRequest;
  readonly path: ResourceRequestPath;
  readonly definition: ResourceDefinition;
  readonly form: AnswerForm;
  /** Adds a `Warning` to the answer, also to a refusal. */
  readonly warn: Warn;
}

/** As much of the kinds as reads need. */
export interface ReadKinds extends Pick<ServedKinds, 'answer'> {
  readonly large: LargeForms;
}

/** The context of verbs that read. */
export interface ReadContext {
  readonly kinds: ReadKinds;
}

/** A verb that reads. Throws a `StatusError` to refuse the request. */
export type ReadVerb = (context: ReadContext, call: ReadCall) => Promise<ApiResponse>;

/** One call of a verb that reads. */
export interface ReadCall extends Omit<ResourceCall, 'definition'> {
  readonly definition: ReadKind;
}

/** A verb. Throws a `StatusError` to refuse the request. */
export type Verb = (context: VerbContext, call: ResourceCall) => Promise<ApiResponse>;
