/** The text of a YAML file with the events of its parser, to find where a value stands. */

/** The way to a value: keys of maps and indexes of lists. */
export type YamlPath = readonly (number | string)[];

/** The numbers of js-yaml's `EVENT_ID`. */
export const EVENT = { document: 1, sequence: 2, mapping: 3, scalar: 4, alias: 5, pop: 6 } as const;

/** A scalar in the text. */
export interface ScalarEvent {
  readonly type: typeof EVENT.scalar;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly anchorStart: number;
  readonly style: number;
}

/** js-yaml's events, as far as they are read. Its own types would be in our declarations, and they need TypeScript 5.7. */
export type YamlEvent =
  | ScalarEvent
  | {
      readonly type: typeof EVENT.mapping | typeof EVENT.sequence;
      readonly start: number;
      readonly anchorStart: number;
      readonly style: number;
    }
  | { readonly type: typeof EVENT.alias; readonly anchorStart: number }
  | { readonly type: typeof EVENT.document | typeof EVENT.pop };

/** A parsed text. */
export interface YamlSource {
  readonly text: string;
  readonly events: readonly YamlEvent[];
  readonly scalarText: (event: ScalarEvent) => string;
}

/** A text with its events and js-yaml's `getScalarValue`, which is loaded when it is first needed. */
export function yamlSource(
  text: string,
  events: readonly YamlEvent[],
  getScalarValue: (text: string, event: never) => string,
): YamlSource {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events came from the same library
  return { text, events, scalarText: (event) => getScalarValue(text, event as never) };
}

/** The event that starts the value at `path`; undefined when the path leads through an alias, or nowhere. */
export function eventAt(source: YamlSource, path: YamlPath): YamlEvent | undefined {
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
export function startOf(event: YamlEvent | undefined): number | undefined {
  if (event === undefined || !('anchorStart' in event)) return undefined;
  const starts = [
    event.anchorStart,
    'start' in event ? event.start : -1,
    'valueStart' in event ? event.valueStart : -1,
  ];
  return starts.find((start) => start >= 0);
}

function memberAt(source: YamlSource, map: number, key: string): number | undefined {
  const { events, scalarText } = source;
  if (events[map]?.type !== EVENT.mapping) return undefined;
  let index = map + 1;
  for (let event = events[index]; event !== undefined && event.type !== EVENT.pop; event = events[index]) {
    const value = afterNode(events, index);
    if (event.type === EVENT.scalar && scalarText(event) === key) return value;
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
function afterNode(events: readonly YamlEvent[], index: number): number {
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
