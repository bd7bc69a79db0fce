import type { AccessAttributes, AccessDecision, Authorizer } from '@listwatch/server/read';
import { describe, expect, it } from 'vitest';
import { findLeaks } from './leak-check.fixture.ts';
import { LeakWorld } from './leak-world.fixture.ts';

const SMALL = { users: 20, namespaces: 5, objects: 3 };
const RUN = { changes: 30, requests: 15 };

const given = (name: string, least: number): number => Number(process.env[`RELAY_LEAK_${name}`] ?? least);

/** `npm run test:leaks` is the large form. */
const WORLD = { users: given('USERS', 40), namespaces: given('NAMESPACES', 8), objects: 3 };
const LONG = { changes: given('CHANGES', 40), requests: given('REQUESTS', 25), watches: given('WATCHES', 40) };
const MINUTES = given('MINUTES', 3);

it(
  'nobody sees through a relay what the upstream refuses, while rights change at random',
  async () => {
    await using world = await LeakWorld.start(WORLD, given('SEED', 1));
    const { leaks, ...report } = await findLeaks(world, LONG);
    if (process.env['RELAY_LEAK_REQUESTS'] !== undefined) process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(leaks).toEqual([]);
    // Otherwise nothing was tried.
    expect(report.allowed).toBeGreaterThan(50);
    expect(report.refused).toBeGreaterThan(200);
    expect(report.watches.revoked).toBeGreaterThan(0);
    expect(report.watches.events).toBeGreaterThan(report.watches.opened);
    expect(report.watches.lost).toBe(0);
    expect(world.relay.state.reads.cached.length).toBeGreaterThan(1);
    // With the relay's own login, for those who were judged.
    expect(world.relay.state.reads.shared).toBeGreaterThan(0);
  },
  MINUTES * 60_000,
);

/** Keeps what was decided once under a key. */
function keeping(real: Authorizer, keyOf: (attributes: AccessAttributes) => string): Authorizer {
  const kept = new Map<string, AccessDecision>();
  return {
    authorize: async (attributes) => {
      const key = keyOf(attributes);
      const decision = kept.get(key) ?? (await real.authorize(attributes));
      if (decision.allowed) kept.set(key, decision);
      return decision;
    },
  };
}

function keepingWatches(real: Authorizer): Authorizer {
  const watches = keeping(real, (asked) => JSON.stringify(text(asked)));
  return { authorize: (asked) => (asked.verb === 'watch' ? watches : real).authorize(asked) };
}

const text = ({ user, verb, namespace, name }: AccessAttributes): readonly string[] => [
  user.name,
  verb,
  namespace,
  name,
];

/** Mistakes of others, each built in once: see the design note. */
const SABOTAGES: Readonly<Record<string, (real: Authorizer) => Authorizer>> = {
  'watches are not authorized': (real) => ({
    authorize: (attributes) => (attributes.verb === 'watch' ? { allowed: true } : real.authorize(attributes)),
  }),
  'the namespace is left out of the question': (real) =>
    keeping(real, (asked) => JSON.stringify([asked.user.name, asked.verb, asked.name])),
  'the name in a selector is left out of the question': (real) => ({
    authorize: async (asked) => {
      const decision = await real.authorize(asked);
      if (decision.allowed || asked.name !== '') return decision;
      // As if a right to one name were one to all.
      const named = await Promise.all([0, 1, 2].map(async (i) => real.authorize({ ...asked, name: `cm-${i}` })));
      return named.find(({ allowed }) => allowed) ?? decision;
    },
  }),
  'a permission is kept after rights have changed': (real) => keeping(real, (asked) => JSON.stringify(text(asked))),
  'an answer is shared by its URL': (real) => keeping(real, (asked) => JSON.stringify(text(asked).slice(1))),
};

describe('the check finds', () => {
  it.each(Object.entries(SABOTAGES))(
    '%s',
    async (_, sabotage) => {
      await using world = await LeakWorld.start(SMALL, 2, { authorizer: sabotage });
      const { leaks } = await findLeaks(world, RUN);
      expect(leaks.length).toBeGreaterThan(0);
    },
    60_000,
  );

  it('a watch that goes on when its right has gone', async () => {
    await using world = await LeakWorld.start(SMALL, 3, { authorizer: keepingWatches });
    const run = { changes: 15, requests: 0, watches: 40, patienceMs: 300 };
    const { leaks } = await findLeaks(world, run);
    const whys = leaks.map((leak) => ('why' in leak ? leak.why : ''));
    expect(whys).toContain('goes on');
    // What was written meanwhile.
    expect(whys).toContainEqual(expect.stringContaining('was shown an object'));
  }, 60_000);
});
