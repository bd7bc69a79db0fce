import { expect, it, vi } from 'vitest';
import { findLies, type Rights, stateAt } from './model-check.fixture.ts';
import { ModelRun } from './model-run.fixture.ts';

const SEEDS = Number(process.env['RELAY_SEEDS'] ?? 1);
const FIRST = Number(process.env['RELAY_SEED'] ?? 1);
const WRITES = Number(process.env['RELAY_WRITES'] ?? 60);
const RESUMES = 10;

function rightsOf(client: string): Rights {
  if (client === 'cat') return { namespaces: [] };
  return { namespaces: client.startsWith('bob') ? ['a'] : 'all' };
}

it.each(Array.from({ length: SEEDS }, (_, at) => FIRST + at))(
  'whatever breaks between clients, two relays and their upstream, nobody misses a change, sees time go back, or sees too much (seed %i)',
  async (seed) => {
    await using run = await ModelRun.start(seed);
    run.startClients();
    let broken: Promise<void> = Promise.resolve();
    // The faults of a fast machine may meet few open watches: it goes on until enough of them had to resume.
    const resumes = (): number => run.clients.reduce((sum, client) => sum + client.resumes, 0);
    for (let count = 0; count < WRITES || (resumes() <= RESUMES && count < WRITES * 20); count++) {
      await run.write();
      if (count % 6 === 0) {
        await broken;
        broken = run.breakSomething();
      }
      await new Promise((resolve) => setTimeout(resolve, run.random.below(20)));
    }
    await broken;
    // Nothing breaks any more: all who may see something see all of it.
    const last = run.truth.at(-1)?.version ?? 0;
    const followers = ['admin', 'ann', 'ann-blue', 'bob'] as const;
    const scopes = { admin: ['', false], ann: ['', false], 'ann-blue': ['', true], bob: ['a', false] } as const;
    await vi.waitFor(
      () => {
        for (const [at, name] of followers.entries()) {
          const [namespace, blue] = scopes[name];
          const wanted = Object.fromEntries(stateAt(run.truth, last, { namespace, blue }));
          expect(Object.fromEntries(run.clients[at]?.objects ?? []), name).toEqual(wanted);
        }
      },
      { timeout: 60_000, interval: 50 },
    );
    await Promise.all(run.clients.map((client) => client.stop()));
    const seen = run.clients.flatMap((client) => client.seen);
    expect(findLies(run.truth, seen, rightsOf)).toEqual([]);
    // It was a run: changes, faults, resumed watches.
    expect(run.truth.length).toBeGreaterThan(WRITES / 3);
    expect(resumes()).toBeGreaterThan(RESUMES);
    // The relays answered reads without a version, too.
    expect(run.freshReads()).toBeGreaterThan(0);
  },
  180_000,
);

it('a relay that lets everybody read is found', async () => {
  const changes = { authorizer: () => ({ authorize: async () => ({ allowed: true }) as const }) };
  await using run = await ModelRun.start(FIRST, changes);
  run.startClients();
  await vi.waitFor(
    async () => {
      await run.write();
      const seen = run.clients.flatMap((client) => client.seen);
      expect(findLies(run.truth, seen, rightsOf).join('\n')).toContain('cat, a: was shown what it may not see');
    },
    { timeout: 60_000, interval: 20 },
  );
}, 90_000);
