/** What `/debug/api_priority_and_fairness/` shows, in the columns of kube-apiserver. */

import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel } from './priority-level.ts';
import { SeatQueue } from './seat-queues.ts';
import type { SeatRequest } from './seat-request.ts';

/** A dump by its name; undefined: there is none of the name. */
export function flowDump(control: FlowControl, name: string, withDetails: boolean): string | undefined {
  control.refresh();
  switch (name) {
    case 'dump_priority_levels':
      return levelsDump(control);
    case 'dump_queues':
      return queuesDump(control);
    case 'dump_requests':
      return requestsDump(control, withDetails);
    default:
      return undefined;
  }
}

function levelsDump(control: FlowControl): string {
  const rows = byName(control.levels).map((level) => [
    level.name,
    level.seats.queues.filter(({ waiting }) => waiting.length > 0).length,
    level.isIdle,
    level.isQuiescing,
    level.seats.waiting,
    level.seats.executing,
    level.dispatched,
    level.rejected,
    0,
    // Requests that waited too long are shown as both, as in kube-apiserver.
    level.timedOut,
  ]);
  return table(LEVEL_COLUMNS, rows);
}

/** Levels with more queues than this show those that are used. */
const QUEUES_SHOWN = 1024;

function queuesDump(control: FlowControl): string {
  const rows = byName(control.levels).flatMap((level) =>
    shownQueues(level).map(({ index, waiting, executing, seats, next, waitingSeats }) => [
      level.name,
      index,
      waiting.length,
      executing.size,
      seats,
      seatSeconds(next),
      waitingSeats,
      waitingSeats,
      seatSeconds(waitingSeats * GUESSED_SECONDS),
    ]),
  );
  return table(QUEUE_COLUMNS, rows);
}

const GUESSED_SECONDS = 0.003;

function shownQueues({ config: { queuing }, seats }: PriorityLevel): readonly SeatQueue[] {
  if (queuing === undefined || queuing.queues > QUEUES_SHOWN) return seats.queues;
  const used = new Map(seats.queues.map((queue) => [queue.index, queue]));
  return Array.from({ length: queuing.queues }, (_, index) => used.get(index) ?? new SeatQueue(index, 0));
}

function requestsDump(control: FlowControl, withDetails: boolean): string {
  // Requests keep monotonic times.
  const offset = control.clock.now() - control.now();
  const rows = byName(control.levels).flatMap((level) =>
    [...level.seats.requests()].map(({ request, index }) => [
      level.name,
      request.flow.schema,
      request.queue?.index ?? -1,
      index,
      request.flow.distinguisher,
      timeText(request.arrivedAt + offset),
      request.seats,
      0,
      '0s',
      request.state === 'waiting' ? NO_TIME : timeText(request.startedAt + offset),
      ...(withDetails ? detailCells(request) : []),
    ]),
  );
  return table(withDetails ? [...REQUEST_COLUMNS, ...DETAIL_COLUMNS] : REQUEST_COLUMNS, rows);
}

function detailCells(request: SeatRequest): readonly string[] {
  const { userName, verb, path, namespace, name, apiVersion, resource, subresource } = request.details();
  return [userName, verb, path, namespace, name, apiVersion, resource, subresource];
}

const NO_TIME = '0001-01-01T00:00:00Z';

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/u, 'Z');
}

function seatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`;
}

function byName(levels: Iterable<PriorityLevel>): readonly PriorityLevel[] {
  return [...levels].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

type Cell = boolean | number | string;

const LEAST_WIDTH = 8;

/** Cells end with a comma, and are padded to the width of their column; the last one of a line is not. */
function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  // Users choose names: one with a line break would look like two requests.
  const lines = [columns, ...rows].map((row) => row.map((cell) => String(cell).replaceAll(/[\n\r\t\v\f]/gu, ' ')));
  const widths = columns.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, (line[column] ?? '').length + 2), LEAST_WIDTH),
  );
  const text = lines.map((line) =>
    line.map((cell, column) => (column === line.length - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0))).join(''),
  );
  return `${text.join('\n')}\n`;
}

const LEVEL_COLUMNS = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];
const QUEUE_COLUMNS = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];
const REQUEST_COLUMNS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const DETAIL_COLUMNS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];
