/** The input and output of verbs. */

import type { ResourceRequestPath } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { Clock, CommitGuard, Entry, StorageEngine } from '@listwatch/storage';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { ConfirmWrite, Warn } from './admitted-write.ts';
import type { AnswerForm } from './answer-form.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiResponse, ResponseHeaders } from './api-response.ts';
import type { ReleaseReservation } from './reservation.ts';

/** The status and headers of an answer. */
export interface AnswerOptions {
  /** Default: 200. */
  readonly status?: number | undefined;
  /** Beside the content type. Default: none. */
  readonly headers?: ResponseHeaders | undefined;
}

/** Answers with an object, given as the JSON that is served, in the form that the call asks for. */
export type ObjectAnswer = (call: ResourceCall, served: Buffer, options: AnswerOptions) => ApiResponse;

/** What all verbs share. */
export interface VerbContext {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind served under a group, version and plural; undefined when there is none. */
  readonly definition: (group: string, version: string, plural: string) => ResourceDefinition | undefined;
  /** A new random uid. */
  readonly newUid: () => string;
  /**
   * What the server adds to an object after its kind has prepared it and before it is judged, such as the address of a
   * Service; `old` on an update. Default: nothing.
   */
  readonly admit?: ((definition: ResourceDefinition, object: KubeObject, old?: KubeObject) => KubeObject) | undefined;
  /** Refuses an object that is valid, such as a second default class; throws the 403. Default: nothing. */
  readonly review?: ((definition: ResourceDefinition, object: KubeObject, old?: KubeObject) => void) | undefined;
  /**
   * Called right before every commit, in the same turn as `admit`: what the server chose for the object (its addresses)
   * is given to no other object until the outcome is known. Default: nothing is reserved.
   */
  readonly reserve?:
    | ((definition: ResourceDefinition, object: KubeObject) => ReleaseReservation | undefined)
    | undefined;
  /**
   * Throws the 403 unless the user may create the object that a PUT or an apply is about to create: they are authorized as
   * `update` and `patch` only. Default: everybody may.
   */
  readonly requireCreate?: ((call: ResourceCall) => Promise<void>) | undefined;
  /**
   * The last step before a commit: what must be asked of others (may the user approve this?) or is written elsewhere (the
   * usage of quotas). A dry run is only checked. Default: nothing.
   */
  readonly confirm?: ConfirmWrite | undefined;
  /** The definition of a custom kind as this server knows it: objects are created only while it stays so. Default: none. */
  readonly definitionGuard?: ((definition: ResourceDefinition) => CommitGuard | undefined) | undefined;
  /** The bytes to answer with after a write, where the stored form loses something (custom kinds). Default: what was written. */
  readonly readBack?: ((value: Uint8Array, revision: bigint) => Promise<Buffer>) | undefined;
  /** The context of the whole server, where this is that of one kind. */
  readonly whole?: VerbContext | undefined;
  /** The context for a kind. Default: this one. */
  readonly forKind?: ((definition: ResourceDefinition) => VerbContext) | undefined;
  /**
   * What the cache has under a key of a kind; it may be older than the store. For stores that are asked over a network, where
   * a read costs a round trip. Default: nothing, so that the store is read.
   */
  readonly cached?: ((definition: ResourceDefinition, key: string) => Entry | undefined) | undefined;
  /** Records every object before it is committed. Default: nothing is recorded. */
  readonly written?: WrittenObjects | undefined;
  /** Forms of an object other than JSON: tables, metadata, YAML. Default: JSON is all there is. */
  readonly answer?: ObjectAnswer | undefined;
}

/** One call of a verb: routed, authorized, negotiated. */
export interface ResourceCall {
  readonly request: ApiRequest;
  readonly path: ResourceRequestPath;
  readonly definition: ResourceDefinition;
  readonly form: AnswerForm;
  /** Adds a `Warning` to the answer, also to a refusal. Default: nobody reads it. */
  readonly warn?: Warn | undefined;
}

/** A verb. Throws `StatusError` for what it refuses. */
export type Verb = (context: VerbContext, call: ResourceCall) => Promise<ApiResponse>;
