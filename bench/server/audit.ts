/** What the audit log costs: the same creates, and the same deliveries of watches, with and without it, round by round in turn. */

import type { Connection } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { configMap, configMapPath, create, spread } from './objects.ts';
import { withConnections } from './open-connection.ts';
import type { OwnServer } from './own-server.ts';
import { costOf } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, middle, record } from './result.ts';

const CONCURRENCY = 32;
const CREATES = 3000;
const ROUNDS = 9;
const WATCHERS = 200;
const WATCHED_CREATES = 500;
const NAMESPACE = 'bench-audit';
const GOAL_PERCENT = 8;

/** A server without the log and one with it. */
export interface AuditPair {
  readonly plain: OwnServer;
  readonly audited: OwnServer;
}

/** Server CPU for a create and for a delivery, and how much more it is with the log. */
export async function benchAudit({ plain, audited }: AuditPair): Promise<void> {
  const servers = [plain, audited];
  const plainly = await inTurn(servers, CREATES, creating);
  const [without = [], having = []] = plainly;
  report(plain, 'audit off: create', without);
  report(audited, 'audit Metadata: create', having);
  record(audited, {
    bench: 'audit of a create',
    value: percentMore(Math.min(...without), Math.min(...having)),
    unit: '% CPU',
    goal: { atMost: GOAL_PERCENT },
    ofMiddles: digits(percentMore(middle(without), middle(having))),
  });
  await withWatchers(servers, async (delivered) => {
    const watched = await inTurn(servers, WATCHED_CREATES, async (server) => {
      const { creates, close } = await creating(server);
      const createWatched: Creator = async (count) => {
        const had = delivered.get(server)?.after(count);
        await creates(count);
        await had;
      };
      return { creates: createWatched, close };
    });
    const [bare = [], logged = []] = watched.map((rounds, index) =>
      // What the writes themselves cost is known from above.
      rounds.map((micros) => (micros - Math.min(...(plainly[index] ?? []))) / WATCHERS),
    );
    report(plain, 'audit off: delivery', bare);
    report(audited, 'audit Metadata: delivery', logged);
  });
}

/** Names that no earlier run has used. */
let made = Date.now() % 1e9;
const nextName = (): number => made++;

type Creator = (count: number) => Promise<void>;

/** The CPU for one, of each server and each round. */
async function inTurn(
  servers: readonly OwnServer[],
  count: number,
  creatorOf: (server: OwnServer) => Promise<{ creates: Creator; close: () => void }>,
): Promise<readonly number[][]> {
  const creators: { readonly creates: Creator; readonly close: () => void }[] = [];
  for (const server of servers) creators.push(await creatorOf(server));
  const cpu: number[][] = servers.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, { pid }] of servers.entries()) {
      const { serverMicros } = await costOf(pid, async () => creators[index]?.creates(count));
      // The first round warms up.
      if (round > 0) cpu[index]?.push(serverMicros / count);
    }
  }
  for (const { close } of creators) close();
  return cpu;
}

function creating(server: OwnServer): Promise<{ creates: Creator; close: () => void }> {
  return new Promise((resolve, reject) => {
    withConnections(server, 'h1', CONCURRENCY, async (connections) => {
      const [first] = connections;
      const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
      await create(first, '/api/v1/namespaces', JSON.stringify(namespace));
      await new Promise<void>((close) => {
        resolve({ close, creates: (count) => createAll(connections, count) });
      });
    }).catch(reject);
  });
}

async function createAll(connections: readonly Connection[], count: number): Promise<void> {
  const path = configMapPath(undefined, NAMESPACE);
  await spread(connections, count, async (writer) => {
    const { status } = await writer.ask({ method: 'POST', path, body: configMap(nextName(), 0, NAMESPACE) });
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  });
}

/** What the watchers of a server have had. */
class Deliveries {
  #count = 0;
  #wanted = 0;
  #done: () => void = () => {};

  add(events: number): void {
    this.#count += events;
    if (this.#count >= this.#wanted) this.#done();
  }

  /** Resolves when all watchers have had so many more. */
  after(creates: number): Promise<void> {
    this.#wanted += creates * WATCHERS;
    if (this.#count >= this.#wanted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }
}

/** Runs `work` while each server has its watchers; it is given what they have had. */
async function withWatchers(
  servers: readonly OwnServer[],
  work: (delivered: ReadonlyMap<OwnServer, Deliveries>) => Promise<void>,
  delivered: Map<OwnServer, Deliveries> = new Map(),
): Promise<void> {
  const [server, ...others] = servers;
  if (server === undefined) return work(delivered);
  const deliveries = new Deliveries();
  delivered.set(server, deliveries);
  await withConnections(server, 'h1', WATCHERS, async (readers) => {
    const from = await resourceVersion(server);
    const path = `${configMapPath(undefined, NAMESPACE)}?watch=true&resourceVersion=${from}`;
    for (const reader of readers) {
      const counter = new FrameCounter();
      await reader.watch(path, (chunk) => deliveries.add(counter.count(chunk)));
    }
    await withWatchers(others, work, delivered);
  });
}

function report(server: OwnServer, bench: string, cpu: readonly number[]): void {
  record(server, { bench, value: middle(cpu), unit: 'us CPU', least: digits(Math.min(...cpu)) });
}

function percentMore(from: number, to: number): number {
  return (to / from - 1) * 100;
}
