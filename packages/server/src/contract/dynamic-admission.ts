/** Dynamic admission: the requests that webhooks and policies see, and the steps of a write that call them. */

import type { JsonRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { UserInfo } from './api-request.ts';
import type { WorkFlow } from './work-flow.ts';

/** The operation. A write of a part of an object is an `UPDATE`; `CONNECT` is exec, attach, portforward and proxy. */
export type DynamicOperation = 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE';

/** The request without its object: enough to decide whether a rule can match. */
export interface RequestHead {
  readonly operation: DynamicOperation;
  /** The resource in the path, in the version that the client asks for. */
  readonly definition: ResourceDefinition;
  /** `''`: the object itself. */
  readonly subresource: string;
  /** `''` for objects without a namespace. A Namespace is in itself. */
  readonly namespace: string;
}

/** A request as webhooks and policies see it. */
export interface DynamicRequest extends RequestHead {
  /** The kind of `object` and `old`: not that of the resource for `scale`, `eviction`, `exec` and the like. */
  readonly kind: ResourceDefinition;
  /** `''` in the mutating pass when the server makes the name, and for each object of a collection that is deleted. */
  readonly name: string;
  /** With its `managedFields`. Undefined for DELETE. The options of a CONNECT have no `metadata`, whatever the type says. */
  readonly object: KubeObject | undefined;
  /** The stored object; undefined for CREATE and CONNECT. */
  readonly old: KubeObject | undefined;
  /** `CreateOptions`, `UpdateOptions` or `DeleteOptions` with kind and apiVersion, as sent; undefined for CONNECT. */
  readonly options: JsonRecord | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Adds a `Warning` to the answer, also to a refusal. */
  readonly warn: (text: string) => void;
  /** Adds an annotation to the audit record; undefined when the request is not recorded. */
  readonly annotate: ((key: string, value: string) => void) | undefined;
  /** Does the audit record hold the object of the request? Only then patches are annotated. */
  readonly isRecorded: boolean;
  /** The time that is left, in milliseconds; `Infinity` when there is no limit. */
  readonly remainingMs: () => number;
  /** Aborted when the client has gone or the time is over. A function: the first call creates the signal, and most requests never need it. */
  readonly signal: () => AbortSignal;
  /** Whose work it is. */
  readonly flow?: WorkFlow | undefined;
}

/** The objects of a request: all that selectors of objects look at. */
export type RequestObjects = Pick<DynamicRequest, 'object' | 'old'>;

/** Policies or webhooks that change objects. They run in the order of the list, after the built-in plugins. */
export interface MutatingStep {
  /** As Kubernetes names the plugin. */
  readonly name: string;
  /**
   * Can anything match? Asked for every write, so it must be cheap. With `objects` it may answer by their labels; without them, another
   * step may still change the labels.
   */
  concerns(head: RequestHead, objects?: RequestObjects): boolean;
  /** Starts the step for one request. The run keeps its state until the second round. */
  begin(): MutatingRun;
}

/** A step for one request. */
export interface MutatingRun {
  /**
   * Returns the object to continue with: the same one when nothing has changed. Throws the refusal. When any step
   * changes the object in round 0, the plugins and all runs are called once more with round 1; a run without
   * reinvocation then returns the object unchanged. Also called for DELETE, which has no object to change.
   */
  mutate(request: DynamicRequest, round: 0 | 1): Promise<KubeObject | undefined>;
}

/** Policies or webhooks that refuse objects. They run in the order of the list, after the built-in plugins and before quotas. */
export interface ValidatingStep {
  readonly name: string;
  concerns(head: RequestHead, objects?: RequestObjects): boolean;
  /** Throws the refusal. */
  validate(request: DynamicRequest): Promise<void>;
}

/** All steps, each list in its order. */
export interface DynamicSteps {
  readonly mutating: readonly MutatingStep[];
  readonly validating: readonly ValidatingStep[];
  /** Is nothing configured that could match a write in this group? Then no step is asked. Default: every step is asked. */
  readonly isIdle?: ((group: string) => boolean) | undefined;
}

/** No webhooks, no policies. */
export const NO_STEPS: DynamicSteps = { mutating: [], validating: [], isIdle: () => true };

/** A write in the stages, as dynamic admission sees it. */
export interface AdmittedWrite {
  readonly head: RequestHead;
  /** The request about the object as it is now. */
  request(object: KubeObject): DynamicRequest;
  /** The objects with the labels that those of `request` have, for nothing; undefined when only `request` knows them. */
  labelled(object: KubeObject): RequestObjects | undefined;
  /** Like `request`, with the objects that `request` has already made in another thread. */
  requestOf(object: KubeObject, old: KubeObject | undefined): DynamicRequest;
  /** Returns the object to continue with, after a step has changed the object of the request. */
  taken(object: KubeObject, changed: KubeObject): KubeObject;
  /** The runs of the mutating pass, kept between the questions of another thread. */
  runs: readonly MutatingRun[];
}
