/** Converts events between the core group and events.k8s.io, which share one store. */

import type { KubeObject } from '../../kube-object.ts';

/** The fields that have another name in events.k8s.io than in the core group. */
const NAMES: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const TO_CORE: ReadonlyMap<string, string> = new Map(NAMES.map(([core, events]) => [events, core]));
const TO_EVENTS: ReadonlyMap<string, string> = new Map(NAMES);

/** The name in events.k8s.io of a field of the core group. */
export function eventsFieldName(core: string): string {
  return TO_EVENTS.get(core) ?? core;
}

/** An event of events.k8s.io as one of the core group. */
export function toCoreEvent(object: KubeObject): KubeObject {
  return renamed(object, TO_CORE, 'v1');
}

/** An event of the core group as one of events.k8s.io. */
export function toEventsEvent(object: KubeObject): KubeObject {
  return renamed(object, TO_EVENTS, 'events.k8s.io/v1');
}

function renamed(object: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const fields = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { ...Object.fromEntries(fields), kind: object.kind, apiVersion, metadata: object.metadata };
}
