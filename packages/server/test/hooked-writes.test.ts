/** Writes while webhooks are slow, die, redirect, answer twice or garbage, and change their mind; and servers are ended. */

import { FakeClock } from '@listwatch/api/fake-clock';
import {
  type Change,
  type CommitResult,
  createMemoryEngine,
  type PutChange,
  type StorageEngine,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { describe, expect, it } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';
import { HookedServer, HookServer } from '../src/write/admission/webhooks/hook-server.fixture.ts';
import { type HookDecision, type HookedHistory, violations } from './hooked-history.fixture.ts';
import { HOOKS, MAPS_FOLDER, moody, prepareNamespace, random } from './moody-hook.fixture.ts';

/** More: `HOOKED_SEEDS=500 npx vitest run hooked-writes`. */
const SEEDS = Number(process.env['HOOKED_SEEDS'] ?? 3);
const WRITERS = 6;
const WRITES_EACH = 8;

/** What a server does wrong in a run that the checker must find. */
type Fault =
  | 'charges nothing'
  | 'charges twice'
  | 'hears no refusal'
  | 'ignores failures'
  | 'loses a write'
  | 'stores twice';

const USED = /"count\/configmaps":"(\d{1,3})"/u;

/** Notes which writes of ConfigMaps were committed. */
class NotedEngine extends ForwardingEngine {
  readonly committed: string[] = [];
  created = 0;
  readonly #fault: Fault | undefined;

  constructor(engine: StorageEngine, fault: Fault | undefined) {
    super(engine);
    this.#fault = fault;
  }

  override async commit(change: Change, options?: Parameters<ForwardingEngine['commit']>[1]): Promise<CommitResult> {
    if (change.type !== 'put') return super.commit(change, options);
    if (!change.key.startsWith(MAPS_FOLDER)) return super.commit(this.#charged(change), options);
    const { data } = JSON.parse(Buffer.from(change.value).toString());
    if (this.#fault === 'loses a write' && data.write !== 'first') {
      return { committed: true, revision: await this.revision() };
    }
    const result = await super.commit(change, options);
    if (!result.committed) return result;
    this.committed.push(data.write);
    if (change.expected === 0n) this.created += 1;
    if (this.#fault !== 'stores twice') return result;
    const again = await super.commit({ ...change, expected: result.revision }, options);
    if (again.committed) this.committed.push(data.write);
    return again;
  }

  #charged(change: PutChange): PutChange {
    if (!change.key.startsWith('/registry/resourcequotas/ns-1/')) return change;
    if (this.#fault !== 'charges nothing' && this.#fault !== 'charges twice') return change;
    const added = this.#fault === 'charges nothing' ? -1 : 1;
    const text = Buffer.from(change.value).toString();
    const planted = text.replace(USED, (_, used) => `"count/configmaps":"${Math.max(0, Number(used) + added)}"`);
    return { ...change, value: Buffer.from(planted) };
  }
}

async function run(seed: number, fault?: Fault): Promise<HookedHistory> {
  const pick = random(seed);
  const clock = new FakeClock();
  const engine = new NotedEngine(createMemoryEngine({ clock }), fault);
  const open = (): Promise<InProcessServer> => InProcessServer.start({ engine, largeWriteBytes: Infinity });
  const wasKilled = seed % 2 === 0;
  const decisions: HookDecision[] = [];
  const answered: string[] = [];
  let unanswered = 0;
  await using hook = await HookServer.start();
  let hooked = new HookedServer(await open(), hook);
  const clocks = [hooked.server.clock];
  const failurePolicy = fault === 'ignores failures' ? 'Ignore' : 'Fail';
  const ns = await prepareNamespace(hooked, { timeoutSeconds: 5, failurePolicy });
  const mood = { pick, outOf: 12, isDeaf: fault === 'hears no refusal' };
  for (const name of HOOKS) hook.answers[name] = moody(name, mood, decisions);
  const ended = new AbortController();
  // Hooks that never answer are given up, and retries are not waited for.
  const ticking = (async () => {
    while (!ended.signal.aborted) {
      for (const one of clocks) await one.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const maps = `/api/v1/namespaces/${ns}/configmaps`;
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; turn < WRITES_EACH; turn += 1) {
      const write = `w-${number}-${turn}`;
      const { server } = hooked;
      const isNew = turn === 0 || pick(2) === 0;
      // Updates of one object by all: they lose compares, and webhooks are asked again.
      const asked = isNew
        ? server.ask('POST', maps, { metadata: { name: write }, data: { write } })
        : server.ask('PATCH', `${maps}/shared`, { data: { write } }, { type: 'application/merge-patch+json' });
      const { status } = await asked.catch(() => ({ status: 0 }));
      if (status === 200 || status === 201) answered.push(write);
      // A server that is ended refuses with these, too.
      else if (isNew && wasKilled && (status === 0 || status >= 500)) unanswered += 1;
    }
  };
  const writing = Array.from({ length: WRITERS }, (_, number) => writer(number));
  if (wasKilled) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = new HookedServer(await open(), hook);
    const old = hooked;
    hooked = next;
    clocks.push(next.server.clock);
    await old.server[Symbol.asyncDispose]();
  }
  await Promise.all(writing);
  ended.abort();
  await ticking;
  const quota = await hooked.server.ok('GET', `/api/v1/namespaces/${ns}/resourcequotas/q`);
  await hooked.server[Symbol.asyncDispose]();
  const { committed, created } = engine;
  const charged = Number(quota.status.used['count/configmaps']);
  const own = committed.filter((write) => write !== 'first');
  return { hooks: HOOKS, decisions, committed: own, answered, created, charged, unanswered };
}

describe('writes under webhooks that misbehave', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'are stored once, charged once, and never against a webhook (seed %i)',
    async (seed) => {
      const history = await run(seed);
      expect(violations(history)).toEqual([]);
      // A run in which nothing was stored or nothing refused would prove nothing.
      const verdicts = new Set(history.decisions.map(({ verdict }) => verdict));
      expect([verdicts.has('refused'), verdicts.has('failed')]).toEqual([true, true]);
      expect(history.committed.length).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('a server with a planted fault', () => {
  it.each<[Fault, RegExp]>([
    ['charges nothing', /objects were charged as/u],
    ['charges twice', /objects were charged as/u],
    ['hears no refusal', /has refused/u],
    ['ignores failures', /has failed/u],
    ['loses a write', /is answered and not stored/u],
    ['stores twice', /is stored 2 times/u],
  ])('that %s is found', async (fault, message) => {
    // With an odd seed no server is ended, which would excuse a charge that is too high.
    expect(violations(await run(3, fault)).join('\n')).toMatch(message);
  });
});

function decided(verdict: HookDecision['verdict']): HookDecision {
  return { hook: 'one', write: 'a', verdict };
}

describe('the checker', () => {
  const fine: HookedHistory = {
    hooks: ['one'],
    decisions: [
      { hook: 'one', write: 'a', verdict: 'refused' },
      { hook: 'one', write: 'a', verdict: 'allowed' },
    ],
    committed: ['a'],
    answered: ['a'],
    created: 1,
    charged: 1,
    unanswered: 0,
  };

  it('finds nothing in a run that is right', () => expect(violations(fine)).toEqual([]));

  it.each<[string, Partial<HookedHistory>, string]>([
    ['stored after a refusal', { decisions: [decided('allowed'), decided('refused')] }, 'one has refused'],
    ['stored after a failure', { decisions: [decided('failed')] }, 'one has failed'],
    ['stored without a question', { decisions: [] }, 'one has not been asked'],
    ['stored twice', { committed: ['a', 'a'] }, 'stored 2 times'],
    ['answered and not stored', { committed: [], created: 0, charged: 0 }, 'answered and not stored'],
    ['charged twice', { charged: 2 }, '1 objects were charged as 2'],
    ['not charged', { charged: 0 }, '1 objects were charged as 0'],
  ])('finds a write that is %s', (_, fault, message) => {
    expect(violations({ ...fine, ...fault })).toEqual([expect.stringContaining(message)]);
  });
});
