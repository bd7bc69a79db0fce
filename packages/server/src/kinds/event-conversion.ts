/** Converts events between the core group and events.k8s.io, which share one store. */

import type { KubeObject } from './resource-definition.ts';
import { canonical } from './shapes/canonical.ts';
import { recordOf } from './shapes/json-value.ts';
import type { StructShape } from './shapes/shape.ts';

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

/** What events.k8s.io calls a field of the core group. */
export function eventsFieldName(core: string): string {
  return TO_EVENTS.get(core) ?? core;
}

/** An event of events.k8s.io as one of the core group, with the fields of `shape`. */
export function toCoreEvent(shape: StructShape, object: KubeObject): KubeObject {
  return renamed(shape, object, TO_CORE, 'v1');
}

/** An event of the core group as one of events.k8s.io. */
export function toEventsEvent(shape: StructShape, object: KubeObject): KubeObject {
  return renamed(shape, object, TO_EVENTS, 'events.k8s.io/v1');
}

function renamed(
  shape: StructShape,
  object: KubeObject,
  names: ReadonlyMap<string, string>,
  apiVersion: string,
): KubeObject {
  const fields = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
  const result = canonical(shape, Object.fromEntries(fields));
  return { ...result, kind: object.kind, apiVersion, metadata: recordOf(result['metadata']) };
}
