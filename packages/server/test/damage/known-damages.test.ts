/** Each exception of the comparisons with kube-apiserver stands for a request that they would send: a dead one hides the next difference. */

import { loadSchemas } from '@listwatch/kinds/data';
import { describe, expect, it } from 'vitest';
import { RICH_BODIES, SMALL_BODIES } from '../kind-bodies/whole-bodies.ts';
import { kindOf } from '../kind-sides.ts';
import { placeOf } from '../kind-story.ts';
import { damagedBodies } from './damaged-bodies.ts';
import { KNOWN_CHANGES, KNOWN_DAMAGES, type KnownDamage } from './known-damages.ts';
import { KNOWN_METADATA } from './known-metadata.ts';
import { METADATA_MUTATIONS } from './mutated-metadata.ts';

/** The exceptions that none of the requests needs. */
function unused(
  known: readonly KnownDamage[],
  requests: readonly { readonly kind: string; readonly damage: string }[],
): readonly string[] {
  return known
    .filter((one) => !requests.some(({ kind, damage }) => (one.kind ?? kind) === kind && one.damage.test(damage)))
    .map(({ kind = 'any', damage, why }) => `${kind} ${damage.source}: ${why}`);
}

describe('each known difference', () => {
  it('is about a damage that is made', async () => {
    const schemas = await loadSchemas();
    const requests = RICH_BODIES.flatMap((body) => {
      const object = { ...placeOf(body).object, ...(body.status === undefined ? {} : { status: body.status }) };
      return Array.from(damagedBodies(schemas, kindOf(body).type, object), ({ damage }) => ({
        kind: body.kind,
        damage,
      }));
    });
    expect(requests.length).toBeGreaterThan(10_000);
    expect(unused(KNOWN_DAMAGES, requests)).toEqual([]);
    expect(unused(KNOWN_CHANGES, requests)).toEqual([]);
  });

  it('is about a mutation of metadata that is made', () => {
    const requests = SMALL_BODIES.flatMap(({ kind }) =>
      METADATA_MUTATIONS.flatMap(({ title, only }) =>
        (only === undefined ? ['create', 'update'] : [only]).map((use) => ({ kind, damage: `${use} ${title}` })),
      ),
    );
    expect(unused(KNOWN_METADATA, requests)).toEqual([]);
  });
});
