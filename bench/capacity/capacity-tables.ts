/** The tables of the guide that follow from the unit costs. */

import { digits } from '../server/result.ts';
import { mostOf, type Prediction, predict, type Workload } from './capacity-model.ts';
import type { KnownUnitCosts } from './known-unit-costs.ts';
import type { SizedCost, UnitCosts } from './unit-costs.ts';

type Engines = Pick<KnownUnitCosts, 'etcd' | 'lmdb'>;
type Row = readonly [string, (costs: UnitCosts) => string];

const ROWS: readonly Row[] = [
  ['an empty server', ({ baseBytes }) => `${digits(baseBytes / 1e6)} MB`],
  [
    'an object in memory',
    ({ objectBytes }) => `${digits(objectBytes.fixed / 1000)} KB + ${digits(objectBytes.perByte)} x its JSON`,
  ],
  ['a connection, HTTP/1.1', ({ connectionBytes }) => kilobytes(connectionBytes.h1)],
  ['a connection, HTTP/2', ({ connectionBytes }) => kilobytes(connectionBytes.h2)],
  ['a watch on it, HTTP/1.1', ({ watcherBytes }) => kilobytes(watcherBytes.h1)],
  ['a watch on it, HTTP/2', ({ watcherBytes }) => kilobytes(watcherBytes.h2)],
  ['an idle watch, each second', ({ idleWatcherMicros }) => micros(idleWatcherMicros)],
  ['a create or replace', ({ writeMicros }) => sizedMicros(writeMicros)],
  ['a patch of a Pod', ({ patchMicros }) => sizedMicros(patchMicros)],
  ['either, when it comes alone', ({ aloneMicros }) => `${micros(aloneMicros)} more`],
  ['a write through another server', ({ applyMicros }) => (applyMicros === 0 ? '' : micros(applyMicros))],
  ['a write to the socket of a watch, HTTP/1.1', ({ delivery }) => micros(delivery.h1.flush)],
  ['an event in it, HTTP/1.1', ({ delivery }) => sizedMicros(delivery.h1.event)],
  ['a write to the socket of a watch, HTTP/2', ({ delivery }) => micros(delivery.h2.flush)],
  ['an event in it, HTTP/2', ({ delivery }) => sizedMicros(delivery.h2.event)],
  ['a list', ({ listMicros }) => `${micros(listMicros.fixed)} + ${digits(listMicros.perByte * 1000)} ms for each MB`],
  ['an object at the start', ({ loadMicros }) => micros(loadMicros)],
];

/** A row for each cost, a column for each engine. */
export function unitCostTable({ lmdb, etcd }: Engines): string {
  return table([['what', 'lmdb', 'etcd'], ...ROWS.map(([name, show]) => [name, show(lmdb), show(etcd)])]);
}

const OBJECT_BYTES = 1600;
const RATES = [1, 10, 50, 200];
/** Sending takes half of the core when there is much to send, and writes need the rest. */
const MAX_CORES = 0.9;
/** A change waits for two rounds at most: a tenth of a second. */
const MAX_ROUND_MS = 50;

function isInTime({ cores, roundMs }: Prediction): boolean {
  return cores.all <= MAX_CORES && roundMs <= MAX_ROUND_MS;
}

/** How many watchers of everything one core carries, by changes a second. */
export function followerTable({ lmdb }: Engines): string {
  const rows = RATES.map((writes) => {
    const base = { objects: 0, objectBytes: OBJECT_BYTES, followers: 0, selectors: 0, writes };
    const cells = (['h1', 'h2'] as const).flatMap((transport) => {
      const workload: Workload = { ...base, transport };
      const followers = mostOf('followers', workload, lmdb, isInTime);
      const { roundMs, networkBytes } = predict({ ...workload, followers }, lmdb);
      return [number(followers), `${digits(roundMs)} ms`, `${digits(networkBytes / 1e6)} MB/s`];
    });
    return [String(writes), ...cells];
  });
  const heads = ['HTTP/1.1', 'HTTP/2'].flatMap((protocol) => [`watchers, ${protocol}`, 'a round takes', 'network']);
  return table([['changes a second', ...heads], ...rows]);
}

const NOTHING: Workload = {
  objects: 0,
  objectBytes: OBJECT_BYTES,
  transport: 'h1',
  followers: 0,
  selectors: 0,
  writes: 0,
};
/** A core that is busy for longer answers late. */
const SHARE = 0.7;
const GIGABYTE = 1e9;

/** As a cluster of 5 000 nodes: each kubelet has one connection with five watches. */
const LARGE_CLUSTER: Workload = {
  objects: 150_000,
  objectBytes: 2700,
  transport: 'h2',
  watchesPerConnection: 5,
  followers: 50,
  selectors: 25_000,
  selectedPerWrite: 3,
  writes: 300,
  write: 'patch',
};

/** Questions and what the model answers. */
export function exampleTable({ lmdb, etcd }: Engines): string {
  const perGigabyte = (name: 'objects' | 'selectors', costs: UnitCosts): string =>
    number(mostOf(name, NOTHING, costs, ({ memoryBytes }) => memoryBytes.all <= GIGABYTE));
  const writes = (costs: UnitCosts, workload: Partial<Workload> = {}): string =>
    number(mostOf('writes', { ...NOTHING, ...workload }, costs, ({ cores }) => cores.all <= SHARE));
  const large = predict(LARGE_CLUSTER, etcd);
  const load = predict({ ...NOTHING, objects: 100_000 }, lmdb).loadSeconds;
  return table([
    ['question', 'answer'],
    ['objects of 1.6 KB in 1 GB', `${perGigabyte('objects', lmdb)} on lmdb, ${perGigabyte('objects', etcd)} on etcd`],
    ['kubelets with a connection and a watch each, HTTP/1.1, in 1 GB', perGigabyte('selectors', lmdb)],
    ['replaces of 1.6 KB a second, one core at 70 %', `${writes(lmdb)} on lmdb, ${writes(etcd)} on etcd`],
    ['patches of Pods a second, one core at 70 %', `${writes(lmdb, { write: 'patch' })} on lmdb`],
    ['CPU to load 100 000 objects at the start', `${digits(load)} s`],
    [
      '5 000 nodes: 150 000 Pods of 2.7 KB, 25 000 watches of kubelets, 50 of everything, 300 patches a second, on etcd',
      `${digits(large.cores.all)} cores, ${digits(large.memoryBytes.all / GIGABYTE)} GB, ${digits(large.networkBytes / 1e6)} MB/s`,
    ],
  ]);
}

/** How many writes a second a cluster of servers carries, and how many watchers. */
export function serverTable({ etcd }: Engines): string {
  const rows = [1, 3, 10].map((servers) => {
    const share = { ...NOTHING, ownShare: 1 / servers };
    const writes = mostOf('writes', share, etcd, ({ cores }) => cores.all <= SHARE);
    const followers = mostOf('followers', { ...share, writes: 50 }, etcd, isInTime);
    return [String(servers), number(writes), number(servers * followers)];
  });
  return table([['servers', 'replaces of 1.6 KB a second', 'watchers of everything at 50 changes a second'], ...rows]);
}

function number(value: number): string {
  return digits(value).toLocaleString('en-US').replaceAll(',', ' ');
}

/** A Markdown table with columns of even width. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

function sizedMicros({ fixed, perByte }: SizedCost): string {
  return `${micros(fixed)} + ${digits(perByte * 1000)} us for each KB`;
}

function micros(value: number): string {
  return `${digits(value)} us`;
}

function kilobytes(bytes: number): string {
  return `${digits(bytes / 1000)} KB`;
}
