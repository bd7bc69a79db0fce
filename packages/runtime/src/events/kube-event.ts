/** The Event objects of Kubernetes, and what they refer to. */

import { type ApiObject, apiVersionOf, type Resource, resource } from '@listwatch/api';

/** Names an object in an Event. */
export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** An Event of events.k8s.io/v1: what happened to an object. The server keeps it for an hour. */
export interface KubeEvent extends ApiObject {
  /** When it was first seen, with microseconds. */
  readonly eventTime?: string;
  /** Absent while it was seen once only. */
  readonly series?: EventSeries;
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
  readonly regarding?: ObjectReference;
  readonly related?: ObjectReference;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
}

export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}

/** Events of events.k8s.io/v1. The core group has the same objects under older names. */
export const kubeEvents: Resource<KubeEvent> = resource<KubeEvent>({
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
});

/** What of an object goes into a reference. */
export interface ReferableObject {
  readonly metadata: Omit<ObjectReference, 'apiVersion' | 'kind'>;
}

/** The reference to an object. */
export function objectReference(of: Resource, { metadata }: ReferableObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: apiVersionOf(of), kind: of.kind, namespace, name, uid, resourceVersion };
}
