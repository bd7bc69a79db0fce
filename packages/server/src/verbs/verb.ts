/** What a verb is given and what it gives back. */

import type { ResourceRequestPath } from '@listwatch/api';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { WrittenObjects } from '../cache/written-objects.ts';
import type { ApiRequest, ApiResponse, ResponseHeaders } from '../http/exchange.ts';
import type { KubeObject, ResourceDefinition } from '../resources/resource-definition.ts';
import type { LetGo } from './held-commit.ts';

/** The form in which objects are answered. */
export interface AnswerForm {
  readonly mediaType: 'application/json' | 'application/yaml';
  /** `metadata` is PartialObjectMetadata(List). */
  readonly as: 'object' | 'table' | 'metadata';
  /** Of meta.k8s.io, for `table` and `metadata`. */
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}

/** What an answer has beside its body. */
export interface AnswerOptions {
  /** Default: 200. */
  readonly status?: number | undefined;
  /** Beside the content type. Default: none. */
  readonly headers?: ResponseHeaders | undefined;
}

/** Answers with an object, given as the JSON that is served, in the form that the call asks for. */
export type ObjectAnswer = (call: ResourceCall, served: Buffer, options: AnswerOptions) => ApiResponse;

/** What every verb works on. */
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
  /**
   * Told of every object right before it is committed, in the turn in which it was admitted: nothing that the server gave
   * it is given to another until the end of the commit is known. Default: nothing is held.
   */
  readonly hold?: ((definition: ResourceDefinition, object: KubeObject) => LetGo | undefined) | undefined;
  /** Told of every object before it is committed. Default: nobody is. */
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
}

/** A verb. Throws `StatusError` for what it refuses. */
export type Verb = (context: VerbContext, call: ResourceCall) => Promise<ApiResponse>;
