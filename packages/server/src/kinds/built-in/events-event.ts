/** Event of the group events.k8s.io: the same thing with stricter rules and other names. */

import { defineKind } from '../define-kind.ts';
import { eventsFieldName, toEventsEvent } from '../event-conversion.ts';
import { validateEvent, validateStrictEvent, validateStrictEventChange } from '../event-validation.ts';
import { EVENT_SOURCE, EVENT_TTL_SECONDS, eventFields, eventTable, eventViewBy, INVOLVED } from '../event-view.ts';
import { listedFields } from '../field-selection.ts';
import type { KubeObject, ResourceDefinition } from '../resource-definition.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { OBJECT_REFERENCE } from '../shapes/reference-shape.ts';
import { struct } from '../shapes/shape.ts';

const EVENT_SERIES = struct('EventSeries', { count: 'int32!', lastObservedTime: 'microTime!' });

const REGARDING = Object.fromEntries(INVOLVED.map((name) => [`regarding.${name}`, `involvedObject.${name}`]));

const viewOf = eventViewBy(eventsFieldName);

const definition = defineKind({
  resource: { group: 'events.k8s.io', plural: 'events', kind: 'Event' },
  shortNames: ['ev'],
  shape: objectShape('Event', {
    eventTime: 'microTime!',
    series: EVENT_SERIES,
    reportingController: 'string',
    reportingInstance: 'string',
    action: 'string',
    reason: 'string',
    regarding: { ...OBJECT_REFERENCE, always: true },
    related: OBJECT_REFERENCE,
    note: 'string',
    type: 'string',
    deprecatedSource: { ...EVENT_SOURCE, always: true },
    deprecatedFirstTimestamp: 'time!',
    deprecatedLastTimestamp: 'time!',
    deprecatedCount: 'int32',
  }),
  fieldsOf: (object) => eventFields(viewOf(object)),
  resolveField: listedFields(
    [...Object.values(REGARDING), 'reason', 'reportingComponent', 'type', 'metadata.namespace', 'metadata.name'],
    { ...REGARDING, reportingController: 'reportingComponent' },
  ),
  columns: eventTable(viewOf),
  validate: (object) => [
    ...validateEvent(viewOf(object), 'reportingController'),
    ...validateStrictEvent(viewOf(object)),
  ],
  strategy: { allowsCreateOnUpdate: true, ttlSeconds: EVENT_TTL_SECONDS },
});

/** The definition of Event in events.k8s.io. */
export const eventsEvent: ResourceDefinition = {
  ...definition,
  convert: (object) => toEventsEvent(definition.shape, object),
  strategy: {
    ...definition.strategy,
    // An event that an old client wrote may break the rules for new ones; it may still grow its series.
    validateUpdate: (object: KubeObject, old: KubeObject) => [
      ...validateEvent(viewOf(object), 'reportingController'),
      ...validateStrictEventChange(viewOf(object), viewOf(old)),
    ],
  },
};
