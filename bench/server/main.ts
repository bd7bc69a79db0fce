/**
 * The server benches: `main.ts [--target name=url,token,pid ...] [--only-targets] [--storage bare|memory|lmdb|etcd ...]
 * [--source] [--seconds N] [--rate N ...] [--profile DIR] [--objects N] [--rounds N] [bench ...]`.
 * Ours is started by itself, as it was built last, once for each engine; `--source` runs the sources. Servers named by
 * `--target`, and a new kube-apiserver where KUBE_APISERVER_BIN is set, are measured by the same code. `--seconds` is how long
 * each steady rate is held, `--rate` selects some of them. `memory-rounds`, `audit` and `load` run only when they are named: what the audit log costs, and
 * starts on an etcd with `--objects` (100 000) objects, `--rounds` (3) times.
 */

import { parseArgs } from 'node:util';
import { findRealPart, startEtcd, startKubeApiserver } from '@listwatch/conformance/parts';
import { inScratch } from '../storage/scratch.ts';
import { type AuditPair, benchAudit } from './audit.ts';
import { CONTESTS, judgeTarget, runContests } from './beside/contests.ts';
import { benchCreate } from './create.ts';
import { benchDefinitions } from './definitions.ts';
import { benchEventLag } from './event-lag.ts';
import { benchFanOut } from './fan-out.ts';
import { benchIdleWatchers } from './idle-watchers.ts';
import { benchList } from './list.ts';
import { benchLoad } from './load.ts';
import { machine } from './machine.ts';
import { benchMemoryRounds } from './memory-rounds.ts';
import { benchNodeWatchers } from './node-watchers.ts';
import { seed } from './objects.ts';
import { isEngine, type OwnServer, type Storage, startOwnServer } from './own-server.ts';
import { resident } from './process-facts.ts';
import { markdownTable, record } from './result.ts';
import { benchSteadyFanOut, type SteadyOptions } from './steady-fan-out.ts';
import { parseTarget, type Target } from './target.ts';
import { benchWatchList } from './watch-list.ts';

type Bench = (target: Target) => Promise<void>;

const MEGABYTE = 1e6;
const GOAL_MEGABYTES = 250;
const GOAL_READY_MS = 400;
const GOAL_IDLE_MEGABYTES = 120;

/** Groups share a server; memory is looked at when the reads of 5 000 objects are over and before they multiply. */
const groups: readonly (readonly (readonly [string, Bench])[])[] = [
  [
    ['list', benchList],
    ['watch-list', benchWatchList],
    ['fan-out', (target) => benchFanOut(target)],
    ['memory', benchMemory],
    ['create', benchCreate],
  ],
  [['idle-watchers', (target) => benchIdleWatchers(target)]],
  [['node-watchers', benchNodeWatchers]],
  [
    ['event-lag', benchEventLag],
    ['steady', (target) => benchSteadyFanOut(target, steadyOptions())],
  ],
  [['memory-rounds', benchMemoryRounds]],
];

/** Benches of groups that run only when they are named. */
const NAMED_ONLY = ['memory-rounds'];

async function benchMemory(target: Target): Promise<void> {
  const { now, peak, own } = resident(target.pid);
  const value = now / MEGABYTE;
  record(target, {
    bench: 'memory',
    value,
    unit: 'MB',
    goal: { atMost: GOAL_MEGABYTES },
    peakMb: Math.round(peak / MEGABYTE),
    ownMb: Math.round(own / MEGABYTE),
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', multiple: true, default: [] },
    objects: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    source: { type: 'boolean', default: false },
    storage: { type: 'string', multiple: true, default: ['bare', 'memory', 'lmdb'] },
    'only-targets': { type: 'boolean', default: false },
  },
});
const names = [
  ...groups.flatMap((group) => group.map(([name]) => name)),
  ...CONTESTS.map(([name]) => name),
  'audit',
  'definitions',
  'load',
];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}

function wantedOf(group: (typeof groups)[number]): readonly Bench[] {
  return group.filter(([name]) => wants(name)).map(([, bench]) => bench);
}

function wants(name: string): boolean {
  return positionals.includes(name) || (positionals.length === 0 && !NAMED_ONLY.includes(name));
}

/** What Node itself costs on this machine today, for the same lists and creates. */
async function benchFloor(): Promise<void> {
  if (!wants('list') && !wants('create')) return;
  await withOwnServer('bare', async (server) => {
    await seed(server);
    if (wants('list')) await benchList(server, ['h1']);
    if (wants('create')) await benchCreate(server, ['h1']);
  });
}

async function withOwnServer(storage: Storage, work: (server: OwnServer) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    const server = await startOwnServer({ folder, storage, fromSource: values.source, profileFolder: values.profile });
    try {
      await work(server);
    } finally {
      await server.stop();
    }
  });
}

function steadyOptions(): SteadyOptions {
  return { seconds: Number(values.seconds), rates: values.rate.map(Number) };
}

async function benchTarget(target: Target): Promise<void> {
  await seed(target);
  for (const bench of groups.flatMap(wantedOf)) await bench(target);
}

/** On lmdb, which keeps them, and on kube-apiserver with its etcd. */
async function runDefinitions(): Promise<void> {
  if (engines.includes('lmdb')) {
    await inScratch(async (folder) => {
      let server = await startOwnServer({ folder, storage: 'lmdb', profileFolder: values.profile });
      const restart = async (): Promise<Target> => {
        await server.stop();
        server = await startOwnServer({ folder, storage: 'lmdb', profileFolder: values.profile });
        return server;
      };
      try {
        await benchDefinitions({ target: server, restart });
      } finally {
        await server.stop();
      }
    });
  }
  if (findRealPart('kube-apiserver') === undefined) return;
  await using server = await startKubeApiserver();
  const restart = async (): Promise<Target> => {
    await server.restart();
    return judgeTarget(server);
  };
  await benchDefinitions({ target: judgeTarget(server), restart });
}

/** Two of ours on each engine: one without the audit log, one with it. */
async function runAudit(): Promise<void> {
  for (const storage of engines) {
    const start = (folder: string, auditLevel?: 'Metadata'): Promise<OwnServer> =>
      startOwnServer({ folder, storage, fromSource: values.source, profileFolder: values.profile, auditLevel });
    await inScratch(async (folder) => {
      const plain = await start(folder);
      await inScratch(async (other) => {
        const pair: AuditPair = { plain, audited: await start(other, 'Metadata') };
        try {
          await benchAudit(pair);
        } finally {
          await Promise.all([pair.plain.stop(), pair.audited.stop()]);
        }
      });
    });
  }
}

/** Ours and kube-apiserver, each on an etcd of its own. The server has a folder `registry` below the root that `serve.mjs` sets. */
async function runLoad(): Promise<void> {
  const options = { objects: Number(values.objects), rounds: Number(values.rounds) };
  if (!values['only-targets']) {
    await using etcd = await startEtcd();
    const { endpoint } = etcd;
    await inScratch(async (folder) => {
      const start = (): Promise<OwnServer> =>
        startOwnServer({
          folder,
          storage: 'etcd',
          endpoints: [endpoint],
          fromSource: values.source,
          profileFolder: values.profile,
        });
      let server = await start();
      const restart = async (): Promise<{ readonly target: Target; readonly readyMs: number }> => {
        await server.stop();
        server = await start();
        return { target: server, readyMs: server.readyMs };
      };
      try {
        await benchLoad({ target: server, endpoint, root: '/registry/registry', restart }, options);
      } finally {
        await server.stop();
      }
    });
  }
  if (findRealPart('kube-apiserver') === undefined) return;
  await using server = await startKubeApiserver();
  const restart = async (): Promise<{ readonly target: Target; readonly readyMs: number }> => {
    const started = performance.now();
    await server.restart();
    return { target: judgeTarget(server), readyMs: performance.now() - started };
  };
  const { etcdEndpoint: endpoint } = server;
  await benchLoad({ target: judgeTarget(server), endpoint, root: '/registry', restart }, options);
}

machine({ source: values.source });
for (const storage of values['only-targets'] ? [] : values.storage) {
  if (storage === 'bare') {
    await benchFloor();
    continue;
  }
  if (!isEngine(storage)) throw new TypeError(`there is no storage called ${storage}`);
  for (const [index, group] of groups.entries()) {
    const wanted = wantedOf(group);
    if (wanted.length === 0) continue;
    await withOwnServer(storage, async (server) => {
      if (index === 0) {
        record(server, { bench: 'ready', value: server.readyMs, unit: 'ms', goal: { atMost: GOAL_READY_MS } });
        const idle = resident(server.pid).now / MEGABYTE;
        record(server, { bench: 'idle memory', value: idle, unit: 'MB', goal: { atMost: GOAL_IDLE_MEGABYTES } });
      }
      await seed(server);
      for (const bench of wanted) await bench(server);
    });
  }
}
const targets = values.target.map(parseTarget);
for (const target of targets) await benchTarget(target);
if (findRealPart('kube-apiserver') !== undefined && groups.flatMap(wantedOf).length > 0) {
  await using server = await startKubeApiserver();
  await benchTarget(judgeTarget(server));
}
const contests = CONTESTS.filter(([name]) => wants(name)).map(([, contest]) => contest);
const engines = values['only-targets'] ? [] : values.storage.filter(isEngine);
await runContests(contests, { targets, engines, profileFolder: values.profile, fromSource: values.source });
if (wants('definitions')) await runDefinitions();
if (positionals.includes('audit')) await runAudit();
if (positionals.includes('load')) await runLoad();
console.error(markdownTable());
