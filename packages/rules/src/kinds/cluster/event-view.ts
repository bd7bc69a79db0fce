/** One view of an event for both groups that serve events, under the field names of the core group. */

import { type JsonRecord, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { ageOf } from '../../columns/human-duration.ts';
import { column } from '../../columns/table-column.ts';
import type { TableColumns } from '../../strategy/kind-definition.ts';

/** How long events are kept. */
export const EVENT_TTL_SECONDS = 3600;

/** An event, whichever group it came through. */
export interface EventView {
  readonly name: string;
  readonly namespace: string;
  readonly involvedObject: JsonRecord;
  readonly related: unknown;
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly action: string;
  readonly source: JsonRecord;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly eventTime: unknown;
  readonly firstTimestamp: unknown;
  readonly lastTimestamp: unknown;
  readonly count: number;
  readonly series: unknown;
}

/** Views an event of a group that uses other field names than the core group. */
export function eventViewBy(nameOf: (core: string) => string): (object: JsonRecord) => EventView {
  return (object) => {
    const field = (core: string): unknown => object[nameOf(core)];
    const metadata = recordOf(object['metadata']);
    return {
      name: textOf(metadata['name']),
      namespace: textOf(metadata['namespace']),
      involvedObject: recordOf(field('involvedObject')),
      related: field('related'),
      reason: textOf(field('reason')),
      message: textOf(field('message')),
      type: textOf(field('type')),
      action: textOf(field('action')),
      source: recordOf(field('source')),
      reportingController: textOf(field('reportingComponent')),
      reportingInstance: textOf(field('reportingInstance')),
      eventTime: field('eventTime'),
      firstTimestamp: field('firstTimestamp'),
      lastTimestamp: field('lastTimestamp'),
      count: numberOf(field('count')),
      series: field('series'),
    };
  };
}

/** The selectable fields of an event. Both groups know them by these names. */
export function eventFields(event: EventView): Readonly<Record<string, string>> {
  const involved = Object.fromEntries(
    INVOLVED.map((name) => [`involvedObject.${name}`, textOf(event.involvedObject[name])]),
  );
  return {
    ...involved,
    reason: event.reason,
    reportingComponent: event.reportingController,
    source: textOf(event.source['component']) || event.reportingController,
    type: event.type,
  };
}

/** The fields of the object that an event is about, by which events can be selected. */
export const INVOLVED: readonly string[] = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
];

/** The table of events of either group. */
export function eventTable(viewOf: (object: JsonRecord) => EventView): TableColumns {
  const wide = { priority: 1 };
  return {
    definitions: [
      column('Last Seen', 'The time since the event was last seen.'),
      column('Type', 'Normal or Warning.'),
      column('Reason', 'Why, in one word.'),
      column('Object', 'What the event is about.'),
      column('Subobject', 'Which part of the object it is about.', wide),
      column('Source', 'Who reports it.', wide),
      column('Message', 'What happened.'),
      column('First Seen', 'The time since the event was first seen.', wide),
      column('Count', 'How often it was seen.', wide),
      column('Name', 'The name of the event.', { ...wide, format: 'name' }),
    ],
    cells: (object, now) => eventCells(viewOf(object), now),
  };
}

function eventCells(event: EventView, now: number): readonly unknown[] {
  const first = isSet(event.firstTimestamp) ? event.firstTimestamp : event.eventTime;
  const series = isSet(event.series) ? recordOf(event.series) : undefined;
  const last = series?.['lastObservedTime'] ?? (isSet(event.lastTimestamp) ? event.lastTimestamp : first);
  const involved = event.involvedObject;
  const name = textOf(involved['name']);
  const kind = textOf(involved['kind']).toLowerCase();
  const component = textOf(event.source['component']) || event.reportingController;
  const host = textOf(event.source['host']) || event.reportingInstance;
  return [
    ageOf(last, now),
    event.type,
    event.reason,
    name === '' ? kind : `${kind}/${name}`,
    textOf(involved['fieldPath']),
    host === '' ? component : `${component}, ${host}`,
    event.message.trim(),
    ageOf(first, now),
    series === undefined ? event.count || 1 : numberOf(series['count']),
    event.name,
  ];
}

/** Is the value set? An unset time is null in JSON. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
