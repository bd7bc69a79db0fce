/** The contract of an admission plugin: what the server changes and refuses beside the rules of a kind. */

import { forbidden, type Resource, type StatusError } from '@listwatch/api';
import type { TypeName } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';

/** Who writes. */
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
  /** For `mutate`: decoded, with the defaults of its kind. For `validate`: valid, as it will be stored. */
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old: KubeObject | undefined;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** Adds a `Warning` to the answer, also to a refusal. */
  readonly warn: (text: string) => void;
  /** Throws when nobody waits for the answer any more. */
  readonly throwIfAborted: () => void;
}

/** One plugin. What it reads of other kinds comes from their caches. */
export interface AdmissionPlugin {
  /** As Kubernetes names it. */
  readonly name: string;
  /** Objects of other kinds never reach it. */
  readonly types: readonly TypeName[] | 'all';
  /** The subresources whose writes it sees beside those of the object itself. Default: none. */
  readonly subresources?: readonly string[] | 'all';
  /** The object to go on with; the same one when nothing changes. Throws the refusal. */
  readonly mutate?: (request: AdmissionRequest) => KubeObject | Promise<KubeObject>;
  /** Throws the refusal of an object that is valid. */
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}

/** Reads the objects of another kind. */
export interface ObjectReader {
  /** Undefined: there is none. `namespace` is `''` for a kind without namespaces. */
  get(namespace: string, name: string): KubeObject | undefined;
  /** The objects of a namespace: the same array until one of the kind changes. */
  list(namespace: string): readonly KubeObject[];
}

/** Reads one object at a time. */
export type ObjectLookup = (namespace: string, name: string) => KubeObject | undefined;

/** The 403 of a plugin that changes objects: an object whose name the server makes is named by its `generateName`. */
export function notAdmitted(
  { resource, object }: Pick<AdmissionRequest, 'object' | 'resource'>,
  why: string,
): StatusError {
  const { name = '', generateName = '' } = object.metadata;
  const isGenerated = generateName !== '' && name.startsWith(generateName);
  return forbidden(resource, isGenerated ? generateName : name, why);
}
