/** The text of a YAML file with the events of its parser, to find where a value stands. */

import type { Event, ScalarEvent } from 'js-yaml';

/** The way to a value: keys of maps and indexes of lists. */
export type YamlPath = readonly (number | string)[];

/** What was parsed, and by which library: that is loaded when it is first needed. */
export interface YamlSource {
  readonly text: string;
  readonly events: readonly Event[];
  readonly getScalarValue: (text: string, event: ScalarEvent) => string;
}

/** The numbers of js-yaml's `EVENT_ID`. */
export const EVENT = { document: 1, sequence: 2, mapping: 3, scalar: 4, alias: 5, pop: 6 } as const;

/** The event that starts the value at `path`; undefined when the path leads through an alias, or nowhere. */
export function eventAt(source: YamlSource, path: YamlPath): Event | undefined {
  let index = 1;
  for (const step of path) {
    const next = typeof step === 'number' ? itemAt(source, index, step) : memberAt(source, index, step);
    if (next === undefined) return undefined;
    index = next;
  }
  return source.events[index];
}

/** The line, from 1, of a position in the text. */
export function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** Where an event starts in the text; undefined for a value that is not written down, as behind `key:`. */
export function startOf(event: Event | undefined): number | undefined {
  if (event === undefined || !('anchorStart' in event)) return undefined;
  const starts = [
    event.anchorStart,
    'start' in event ? event.start : -1,
    'valueStart' in event ? event.valueStart : -1,
  ];
  return starts.find((start) => start >= 0);
}

function memberAt(source: YamlSource, map: number, key: string): number | undefined {
  const { events, text, getScalarValue } = source;
  if (events[map]?.type !== EVENT.mapping) return undefined;
  let index = map + 1;
  for (let event = events[index]; event !== undefined && event.type !== EVENT.pop; event = events[index]) {
    const value = afterNode(events, index);
    if (event.type === EVENT.scalar && getScalarValue(text, event) === key) return value;
    index = afterNode(events, value);
  }
  return undefined;
}

function itemAt({ events }: YamlSource, list: number, wanted: number): number | undefined {
  if (events[list]?.type !== EVENT.sequence) return undefined;
  let index = list + 1;
  for (let count = 0; count < wanted; count += 1) {
    if (events[index]?.type === EVENT.pop) return undefined;
    index = afterNode(events, index);
  }
  return events[index]?.type === EVENT.pop ? undefined : index;
}

/** The index behind a node with all that it holds. */
function afterNode(events: readonly Event[], index: number): number {
  let depth = 0;
  let next = index;
  do {
    const type = events[next]?.type;
    if (type === EVENT.sequence || type === EVENT.mapping) depth += 1;
    else if (type === EVENT.pop) depth -= 1;
    next += 1;
  } while (depth > 0 && next < events.length);
  return next;
}
