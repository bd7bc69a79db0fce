import type { AccessAttributes, AccessDecision, Authorizer } from '@listwatch/server/read';
import { describe, expect, it } from 'vitest';
import { findLeaks } from './leak-check.fixture.ts';
import { LeakWorld } from './leak-world.fixture.ts';

const SMALL = { users: 20, namespaces: 5, objects: 3 };
const RUN = { changes: 30, requests: 15 };

it('nobody sees through a relay what the upstream refuses, while rights change at random', async () => {
  await using world = await LeakWorld.start({ users: 40, namespaces: 8, objects: 3 }, 1);
  const report = await findLeaks(world, { changes: 40, requests: 25 });
  expect(report.leaks).toEqual([]);
  // Otherwise nothing was tried.
  expect(report.allowed).toBeGreaterThan(50);
  expect(report.refused).toBeGreaterThan(200);
  expect(world.relay.state.reads.cached.length).toBeGreaterThan(1);
}, 60_000);

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
});
