/** The contract of an admission plugin, which changes and refuses objects in addition to the rules of a kind. */

import { forbidden, type Resource, type StatusError } from '@listwatch/api';
import type { TypeName } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';

/** The user that sends the request. */
export interface AdmissionUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A write, as a plugin sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly resource: Resource;
  readonly type: TypeName;
  /** `''`: the object itself. */
  readonly subresource: string;
  /** The name in the path; `''` for a POST. */
  readonly requestedName: string;
  /** For `mutate`: decoded, with the defaults of its kind. For `validate`: valid, as it will be stored. */
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old: KubeObject | undefined;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** Adds a `Warning` to the answer, also to a refusal. */
  readonly warn: (text: string) => void;
  /** Throws when the client has disconnected. */
  readonly throwIfAborted: () => void;
}

/** One plugin. It reads objects of other kinds from their caches. */
export interface AdmissionPlugin {
  /** The name of the plugin in Kubernetes. */
  readonly name: string;
  /** The kinds that the plugin sees. */
  readonly types: readonly TypeName[] | 'all';
  /** The subresources whose writes the plugin sees, in addition to writes of the object itself. Default: none. */
  readonly subresources?: readonly string[] | 'all';
  /** Returns the changed object, or the same object when nothing changes. Throws an error to refuse the request. */
  readonly mutate?: (request: AdmissionRequest) => KubeObject | Promise<KubeObject>;
  /** Throws an error to refuse a valid object. */
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}

/** Reads the objects of another kind. */
export interface ObjectReader {
  /** Undefined: the object does not exist. `namespace` is `''` for a cluster-scoped kind. */
  get(namespace: string, name: string): KubeObject | undefined;
  /** The objects of a namespace. Returns the same array until an object of the kind changes. */
  list(namespace: string): readonly KubeObject[];
}

/** Reads one object at a time. */
export type ObjectLookup = (namespace: string, name: string) => KubeObject | undefined;

/** The 403 of a mutating plugin. It names an object without a name by its `generateName`. */
export function notAdmitted(
  { resource, object }: Pick<AdmissionRequest, 'object' | 'resource'>,
  why: string,
): StatusError {
  const { name = '', generateName = '' } = object.metadata;
  return forbidden(resource, name === '' ? generateName : name, why);
}
