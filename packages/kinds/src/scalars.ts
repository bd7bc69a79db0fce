/** Types of values that Kubernetes writes in a form of its own. */

import type { ApiObject, ObjectMeta } from '@listwatch/api';

/** An amount as text: `500m`, `1Gi`. */
export type Quantity = string;

/** A number, or a text such as `25%` or the name of a port. */
export type IntOrString = number | string;

/** RFC 3339 in whole seconds: `2026-01-31T12:00:00Z`. */
export type Time = string;

/** RFC 3339 with microseconds: `2026-01-31T12:00:00.000000Z`. */
export type MicroTime = string;

/** A duration as Go writes it: `1h30m`. */
export type Duration = string;

/** An object of any kind, or any other JSON object. */
export type RawExtension = object;

/** The metadata of an object within another, such as the template of a Deployment: what its author may set. */
export type EmbeddedMetadata = Partial<
  Pick<ObjectMeta, 'annotations' | 'finalizers' | 'generateName' | 'labels' | 'name' | 'namespace' | 'ownerReferences'>
>;

/** An object within another, such as a claim of a StatefulSet: the server names it and sets its status. */
export type Embedded<T extends ApiObject> = Partial<Omit<T, 'metadata' | 'status'>> & {
  readonly metadata?: EmbeddedMetadata;
};
