/** Writes under webhooks that misbehave, while servers are killed at a commit. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, startEtcd } from '@listwatch/conformance/parts';
import { ApiClient, type ServerTarget } from '@listwatch/conformance/server';
import { WatchRecorder } from '@listwatch/conformance/storage';
import type { StorageEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { describe, expect, it } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';
import { HookedServer, HookServer } from '../src/write/admission/webhooks/hook-server.fixture.ts';
import { type HookDecision, type HookedHistory, violations } from './hooked-history.fixture.ts';
import { HOOKS, MAPS_FOLDER, moody, prepareNamespace, random } from './moody-hook.fixture.ts';

/** More: `KILLED_SEEDS=20 npx vitest run killed-servers`. */
const SEEDS = Number(process.env['KILLED_SEEDS'] ?? 1);
const MOMENTS = ['after', 'before', 'during'] as const;
const WRITERS = 6;
const WRITES_EACH = 10;
/** The server that is never killed. */
const NEVER = 1_000_000;
const PROGRAM = fileURLToPath(new URL('fatal-server.ts', import.meta.url));

/** A store that outlives its servers. */
interface Store {
  readonly type: 'etcd' | 'lmdb';
  readonly place: string;
  /** Servers that share it at one time. */
  readonly servers: number;
  open(): Promise<StorageEngine>;
}

/** When a server kills itself. */
interface Death {
  readonly moment: string;
  readonly commits: number;
}

/** A server in a process of its own, and the next one when it is killed. */
class MortalServer {
  readonly #store: Store;
  readonly #deaths: Death[];
  #child: ChildProcess | undefined;
  #client: Promise<ApiClient>;
  #isDisposed = false;
  kills = 0;

  constructor(store: Store, deaths: Death[]) {
    this.#store = store;
    this.#deaths = deaths;
    this.#client = this.#start();
  }

  /** The client of the server that lives. */
  get client(): Promise<ApiClient> {
    return this.#client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const client = await this.#client;
    client.close();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async #start(): Promise<ApiClient> {
    const { moment, commits } = this.#deaths.shift() ?? { moment: 'never', commits: NEVER };
    const { type, place } = this.#store;
    const execArgv = ['--conditions=@listwatch/source', '--import', 'tsx'];
    const child = fork(PROGRAM, [type, place, moment, String(commits)], { execArgv });
    this.#child = child;
    const exit = once(child, 'exit');
    const served = await Promise.race([once(child, 'message'), exit.then(() => undefined)]);
    if (served === undefined) throw new Error('a server ended before it served');
    void this.#succeed(exit);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program sends nothing else
    const [target] = served as [ServerTarget];
    return new ApiClient(target);
  }

  async #succeed(exit: Promise<unknown>): Promise<void> {
    await exit;
    if (this.#isDisposed) return;
    this.kills += 1;
    this.#client = this.#start();
  }
}

async function run(seed: number, store: Store): Promise<HookedHistory & { readonly kills: number }> {
  const pick = random(seed);
  const decisions: HookDecision[] = [];
  const answered: string[] = [];
  let unanswered = 0;
  await using hook = await HookServer.start();
  const engine = await store.open();
  const hooked = new HookedServer(await InProcessServer.start({ engine }), hook);
  const ns = await prepareNamespace(hooked, { timeoutSeconds: 1 });
  const quotas = `/api/v1/namespaces/${ns}/resourcequotas/q`;
  for (const name of HOOKS) hook.answers[name] = moody(name, { pick, outOf: 24 }, decisions);
  const after = await engine.revision();
  await hooked.server[Symbol.asyncDispose]();
  await engine.close();

  const deaths = (): Death[] =>
    MOMENTS.map((_, index) => ({ moment: MOMENTS[(index + seed) % 3] ?? 'after', commits: 2 + pick(3) }));
  const servers = Array.from({ length: store.servers }, () => new MortalServer(store, deaths()));
  const maps = `/api/v1/namespaces/${ns}/configmaps`;
  const merge = { 'content-type': 'application/merge-patch+json' };
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; turn < WRITES_EACH; turn += 1) {
      const write = `w-${number}-${turn}`;
      const client = await servers[pick(servers.length)]?.client;
      const isNew = turn === 0 || pick(3) > 0;
      const status = await (isNew
        ? client?.request('POST', maps, { body: { metadata: { name: write }, data: { write } } })
        : client?.request('PATCH', `${maps}/shared`, { body: { data: { write } }, headers: merge })
      )?.then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200 || status === 201) answered.push(write);
      else if (status === 0 && isNew) unanswered += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  const kills = servers.reduce((sum, server) => sum + server.kills, 0);
  for (const server of servers) await server[Symbol.asyncDispose]();

  const last = await store.open();
  const recorder = WatchRecorder.open(last, { prefix: MAPS_FOLDER, after });
  recorder.requestProgress();
  await recorder.reached(await last.revision());
  await recorder.stop();
  const committed: string[] = [];
  const keys = new Set<string>([`${MAPS_FOLDER}shared`]);
  for (const event of recorder.events) {
    if (event.type !== 'put') continue;
    committed.push(JSON.parse(Buffer.from(event.value).toString()).data.write);
    keys.add(event.key);
  }
  await using reader = await InProcessServer.start({ engine: last });
  const charged = Number((await reader.ok('GET', quotas)).status.used['count/configmaps']);
  await last.close();
  return { hooks: HOOKS, decisions, committed, answered, created: keys.size, charged, unanswered, kills };
}

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
const TITLE = 'stores each write once, charges it once, and stores nothing against a webhook (seed %i)';

async function check(seed: number, store: Store): Promise<void> {
  const history = await run(seed, store);
  expect(violations(history)).toEqual([]);
  expect(history.kills).toBeGreaterThan(0);
  expect(history.committed.length).toBeGreaterThan(0);
}

describe('a server on LMDB that is killed at a commit', () => {
  it.each(seeds)(
    TITLE,
    async (seed) => {
      const place = mkdtempSync(join(tmpdir(), 'listwatch-killed-'));
      try {
        await check(seed, { type: 'lmdb', place, servers: 1, open: () => openLmdbEngine({ path: place }) });
      } finally {
        rmSync(place, { recursive: true });
      }
    },
    120_000,
  );
});

describe('two servers on etcd that are killed at commits', needs('etcd'), () => {
  it.each(seeds)(
    TITLE,
    async (seed) => {
      await using etcd = await startEtcd();
      const endpoints = [etcd.endpoint];
      // Older releases tell progress before the changes: then the truth would lack some of them.
      const progressRequests = await answersProgressInOrder({ endpoints });
      const open = async (): Promise<StorageEngine> =>
        createEtcdEngine({ endpoints, compaction: 'off', progressRequests });
      await check(seed, { type: 'etcd', place: etcd.endpoint, servers: 2, open });
    },
    120_000,
  );
});
