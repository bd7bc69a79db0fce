import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeGrant } from './held-rights.ts';
import type { PolicyRule } from './policy-rule.ts';
import { policyRules } from './policy-rule.ts';
import { RbacIndex } from './rbac-index.ts';
import { binding, role } from './rbac-objects.fixture.ts';
import { Dice, randomRule } from './rbac-world.fixture.ts';

const RUNS = 1000;

function within(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes('*');
}

/** By the words of Kubernetes: every single right of a rule is covered by one own rule. Shares no code with the comparison. */
function covers(own: readonly PolicyRule[], wanted: readonly PolicyRule[]): boolean {
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of wanted) {
    for (const verb of verbs) {
      for (const path of nonResourceURLs) {
        const has = own.some(
          (rule) =>
            within(rule.verbs, verb) &&
            rule.nonResourceURLs.some((url) => {
              let stem = url;
              while (stem.endsWith('*')) stem = stem.slice(0, -1);
              return url === path || (stem !== url && path.slice(0, stem.length) === stem);
            }),
        );
        if (!has) return false;
      }
      for (const group of apiGroups) {
        for (const resource of resources) {
          const [, subresource] = resource.split('/');
          const names = resourceNames.length === 0 ? [undefined] : resourceNames;
          for (const name of names) {
            const has = own.some(
              (rule) =>
                within(rule.verbs, verb) &&
                within(rule.apiGroups, group) &&
                (within(rule.resources, resource) ||
                  (subresource !== undefined && rule.resources.includes(`*/${subresource}`))) &&
                (rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name))),
            );
            if (!has) return false;
          }
        }
      }
    }
  }
  return true;
}

it('lets a user grant a role exactly when each of its rights is covered by one rule of the user', async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const dice = new Dice(seed);
      const own = Array.from({ length: 1 + Math.floor(dice.next() * 20) }, () => randomRule(dice));
      // A rule of the user, or what it would be with less, is held more often than a random one.
      const rules = dice.next() < 0.5 ? dice.some(own, 3, 1) : dice.some([0], 2, 1).map(() => randomRule(dice));
      const index = new RbacIndex();
      for (const [i, rule] of own.entries()) {
        // Some in one role, most in roles of their own.
        index.setRole(role(`r${i}`, i === 0 ? own.slice(0, 3) : [rule]));
        const namespace = i % 2 === 0 ? 'n' : undefined;
        index.setBinding(
          binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, [{ kind: 'User', name: 'u' }], namespace),
        );
      }
      const verdict = await judgeGrant(index, { name: 'u', groups: [] }, 'n', { type: 'rules', rules });
      expect(verdict.type).toBe(covers(policyRules(own), policyRules(rules)) ? 'held' : 'refused');
      if (verdict.type === 'held') held += 1;
    }),
    { numRuns: RUNS },
  );
  expect(held / RUNS).toBeGreaterThan(0.2);
  expect(held / RUNS).toBeLessThan(0.9);
});
