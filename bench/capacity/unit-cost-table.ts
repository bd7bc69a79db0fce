/** The unit costs as a Markdown table, for the guide. */

import { digits } from '../server/result.ts';
import type { KnownUnitCosts } from './known-unit-costs.ts';
import type { SizedCost, UnitCosts } from './unit-costs.ts';

type Row = readonly [string, (costs: UnitCosts) => string];

const ROWS: readonly Row[] = [
  ['an empty server', ({ baseBytes }) => megabytes(baseBytes)],
  [
    'an object in memory',
    ({ objectBytes }) => `${digits(objectBytes.fixed)} bytes + ${digits(objectBytes.perByte)} x its JSON`,
  ],
  ['a connection, HTTP/1.1', ({ connectionBytes }) => kilobytes(connectionBytes.h1)],
  ['a connection, HTTP/2', ({ connectionBytes }) => kilobytes(connectionBytes.h2)],
  ['a watch on it, HTTP/1.1', ({ watcherBytes }) => kilobytes(watcherBytes.h1)],
  ['a watch on it, HTTP/2', ({ watcherBytes }) => kilobytes(watcherBytes.h2)],
  ['an idle watch, each second', ({ idleWatcherMicros }) => `${digits(idleWatcherMicros)} us`],
  ['a create or replace', ({ writeMicros }) => micros(writeMicros)],
  ['a patch of a Pod', ({ patchMicros }) => micros(patchMicros)],
  ['a write that comes alone', ({ aloneMicros }) => `${digits(aloneMicros)} us more`],
  ['a write to a watcher, HTTP/1.1', ({ delivery }) => `${digits(delivery.h1.flush)} us`],
  ['an event in it, HTTP/1.1', ({ delivery }) => micros(delivery.h1.event)],
  ['a write to a watcher, HTTP/2', ({ delivery }) => `${digits(delivery.h2.flush)} us`],
  ['an event in it, HTTP/2', ({ delivery }) => micros(delivery.h2.event)],
  [
    'a list',
    ({ listMicros }) => `${digits(listMicros.fixed)} us + ${digits(listMicros.perByte * 1000)} ms for each MB`,
  ],
  ['an object at the start', ({ loadMicros }) => `${digits(loadMicros)} us`],
];

/** A row for each cost, a column for each engine. */
export function unitCostTable({ lmdb, etcd }: Pick<KnownUnitCosts, 'etcd' | 'lmdb'>): string {
  const rows = ROWS.map(([name, show]) => `| ${name} | ${show(lmdb)} | ${show(etcd)} |`);
  return ['| what | lmdb | etcd |', '| --- | --- | --- |', ...rows].join('\n');
}

function micros({ fixed, perByte }: SizedCost): string {
  return `${digits(fixed)} us + ${digits(perByte * 1000)} us for each KB`;
}

function kilobytes(bytes: number): string {
  return `${digits(bytes / 1000)} KB`;
}

function megabytes(bytes: number): string {
  return `${digits(bytes / 1e6)} MB`;
}
