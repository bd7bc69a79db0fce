/** Writes while webhooks are slow, die, redirect, answer twice or garbage, and change their mind; and servers are ended. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { type Change, type CommitResult, createMemoryEngine } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { describe, expect, it } from 'vitest';
import { InProcessServer, type Json } from '../src/start/in-process-server.fixture.ts';
import {
  type HookAnswer,
  HookedServer,
  HookServer,
  patchOf,
  reviewOf,
} from '../src/write/admission/webhooks/hook-server.fixture.ts';
import { type HookDecision, type HookedHistory, violations } from './hooked-history.fixture.ts';

/** More: `HOOKED_SEEDS=500 npx vitest run hooked-writes`. */
const SEEDS = Number(process.env['HOOKED_SEEDS'] ?? 3);
const WRITERS = 6;
const WRITES_EACH = 8;
const HOOKS = ['one', 'two'];

/** Numbers below `n`, the same for the same seed. */
function random(seed: number): (n: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Notes which writes of ConfigMaps were committed. */
class NotedEngine extends ForwardingEngine {
  readonly committed: string[] = [];
  created = 0;

  override async commit(change: Change, options?: Parameters<ForwardingEngine['commit']>[1]): Promise<CommitResult> {
    const result = await super.commit(change, options);
    if (result.committed && change.type === 'put' && change.key.startsWith('/registry/configmaps/ns-1/')) {
      const { data } = JSON.parse(Buffer.from(change.value).toString());
      this.committed.push(data.write);
      if (change.expected === 0n) this.created += 1;
    }
    return result;
  }
}

/** A webhook that does as it likes, and notes what it has said. */
function moody(hook: string, pick: (n: number) => number, decisions: HookDecision[]): HookAnswer {
  return (review: Json, response) => {
    const write: string = review.request.object.data.write;
    const note = (verdict: HookDecision['verdict']): unknown => decisions.push({ hook, write, verdict });
    switch (pick(12)) {
      case 0:
        note('failed');
        response.destroy();
        return undefined;
      case 1:
        note('failed');
        response.writeHead(302, { location: '/allowed' });
        response.end();
        return undefined;
      case 2:
        note('failed');
        response.end('{"kind":"AdmissionReview","respo');
        return undefined;
      case 3: {
        note('refused');
        // A second answer that says the opposite comes right behind.
        const texts = [{ allowed: false }, { allowed: true }].map((own) => JSON.stringify(reviewOf(review, own)));
        const head = 'HTTP/1.1 200 OK\r\ncontent-length: ';
        response.socket?.write(texts.map((text) => `${head}${Buffer.byteLength(text)}\r\n\r\n${text}`).join(''));
        return undefined;
      }
      case 4:
        note('failed');
        // It never answers: the time of the call ends it.
        return undefined;
      case 5:
      case 6:
        note('refused');
        return { allowed: false };
      default:
        note('allowed');
        return { allowed: true };
    }
  };
}

async function run(seed: number): Promise<HookedHistory> {
  const pick = random(seed);
  const clock = new FakeClock();
  const engine = new NotedEngine(createMemoryEngine({ clock }));
  const open = (): Promise<InProcessServer> => InProcessServer.start({ engine, largeWriteBytes: Infinity });
  const wasKilled = seed % 2 === 0;
  const decisions: HookDecision[] = [];
  const answered: string[] = [];
  await using hook = await HookServer.start();
  let hooked = new HookedServer(await open(), hook);
  const clocks = [hooked.server.clock];
  const ns = await hooked.namespace();
  await prepared(hooked, ns);
  hook.answers['label'] = patchOf({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } });
  for (const name of HOOKS) hook.answers[name] = moody(name, pick, decisions);
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
  return { hooks: HOOKS, decisions, committed: own, answered, created, charged, wasKilled };
}

/** One object that exists before the hooks do, a quota that counts, a hook that labels and two that decide. */
async function prepared(hooked: HookedServer, ns: string): Promise<void> {
  const { server } = hooked;
  const hard = { 'count/configmaps': '1000' };
  const quotas = `/api/v1/namespaces/${ns}/resourcequotas`;
  const { metadata } = await server.ok('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
  const status = { hard, used: { 'count/configmaps': '0' } };
  await server.ok('PUT', `${quotas}/q/status`, { metadata, spec: { hard }, status });
  await server.ok('GET', quotas);
  const maps = `/api/v1/namespaces/${ns}/configmaps`;
  await server.ok('POST', maps, { metadata: { name: 'shared' }, data: { write: 'first' } });
  const more = { timeoutSeconds: 5, reinvocationPolicy: 'IfNeeded' };
  await hooked.configure('Mutating', hooked.hookOf(ns, 'label', more));
  await hooked.configure('Validating', ...HOOKS.map((name) => hooked.hookOf(ns, name, { timeoutSeconds: 5 })));
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
    },
    120_000,
  );
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
    wasKilled: false,
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
