/** Event of the core group: what happened to an object, kept for an hour. */

import { defineKind } from '../define-kind.ts';
import { toCoreEvent } from '../event-conversion.ts';
import { validateEvent } from '../event-validation.ts';
import { EVENT_SOURCE, EVENT_TTL_SECONDS, eventFields, eventTable, eventViewBy, INVOLVED } from '../event-view.ts';
import { listedFields } from '../field-selection.ts';
import { pathSegmentName } from '../name-rules.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { OBJECT_REFERENCE } from '../shapes/reference-shape.ts';
import { struct } from '../shapes/shape.ts';

const EVENT_SERIES = struct('EventSeries', { count: 'int32', lastObservedTime: 'microTime!' });

const viewOf = eventViewBy((name) => name);

const definition = defineKind({
  resource: { plural: 'events', kind: 'Event' },
  shortNames: ['ev'],
  shape: objectShape('Event', {
    involvedObject: { ...OBJECT_REFERENCE, always: true },
    reason: 'string',
    message: 'string',
    source: { ...EVENT_SOURCE, always: true },
    firstTimestamp: 'time!',
    lastTimestamp: 'time!',
    count: 'int32',
    type: 'string',
    eventTime: 'microTime!',
    series: EVENT_SERIES,
    action: 'string',
    related: OBJECT_REFERENCE,
    reportingComponent: 'string!',
    reportingInstance: 'string!',
  }),
  fieldsOf: (object) => eventFields(viewOf(object)),
  resolveField: listedFields([
    ...INVOLVED.map((name) => `involvedObject.${name}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
    'metadata.namespace',
    'metadata.name',
  ]),
  columns: eventTable(viewOf),
  validate: (object) => validateEvent(viewOf(object), 'reportingComponent'),
  strategy: { allowsCreateOnUpdate: true, ttlSeconds: EVENT_TTL_SECONDS },
  checkName: pathSegmentName,
});

/** The definition of Event in the core group. */
export const event: ResourceDefinition = {
  ...definition,
  convert: (object) => toCoreEvent(definition.shape, object),
};
