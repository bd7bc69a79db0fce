import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import { oracleAllows } from './rbac-oracle.fixture.ts';
import { type AccessObject, accessKey, Dice, randomObject, randomRequest } from './rbac-world.fixture.ts';

/** `RBAC_TRIPLES=1000000` for the long run (`npm run test:rbac`). */
const TRIPLES = Number(process.env['RBAC_TRIPLES'] ?? 20_000);
const QUESTIONS_A_WORLD = 400;

/** Writes and removes objects, in the index and in the plain list of the oracle. */
class World {
  readonly index = new RbacIndex();
  readonly objects = new Map<string, AccessObject>();

  step(dice: Dice): void {
    const object = randomObject(dice);
    const { namespace = '', name = '' } = object.metadata;
    const key = accessKey(object);
    const isBinding = object.kind.endsWith('Binding');
    if (dice.next() < 0.3) {
      this.objects.delete(key);
      if (isBinding) this.index.removeBinding(namespace, name);
      else this.index.removeRole(namespace, name);
      return;
    }
    this.objects.set(key, object);
    if (isBinding) this.index.setBinding(object);
    else this.index.setRole(object);
  }
}

it('decides as a plain walk over all rules does, after any sequence of changes', { timeout: 600_000 }, () => {
  let allowed = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed);
      const world = new World();
      const authorizer = rbacAuthorizer(world.index);
      for (let i = 0; i < QUESTIONS_A_WORLD; i += 1) {
        world.step(dice);
        const request = randomRequest(dice);
        const decision = authorizer.authorize(request);
        if (decision.allowed) allowed += 1;
        const expected = oracleAllows(world.objects.values(), request);
        if (decision.allowed !== expected) throw new Error(`question ${i}: ${JSON.stringify(request)}: ${expected}`);
      }
    }),
    { numRuns: Math.ceil(TRIPLES / QUESTIONS_A_WORLD) },
  );
  // A test whose questions all have the same answer would show nothing.
  expect(allowed / TRIPLES).toBeGreaterThan(0.1);
  expect(allowed / TRIPLES).toBeLessThan(0.9);
});
