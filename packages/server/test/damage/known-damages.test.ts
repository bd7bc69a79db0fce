/** Each exception of the comparisons with kube-apiserver stands for a request that they would send: a dead one hides the next difference. */

import { readFileSync } from 'node:fs';
import { loadSchemas } from '@listwatch/kinds/data';
import { describe, expect, it } from 'vitest';
import { SMALL_BODIES, WHOLE_BODIES } from '../kind-bodies/whole-bodies.ts';
import { kindOf } from '../kind-sides.ts';
import { placeOf } from '../kind-story.ts';
import { damagedBodies } from './damaged-bodies.ts';
import { KNOWN_CHANGES, KNOWN_DAMAGES, type KnownDamage, NO_ROW } from './known-damages.ts';
import { KNOWN_MANIFESTS } from './known-manifests.ts';
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

const DIFFERENCES = new URL('../../../../docs/reference/differences.md', import.meta.url);

/** The first cells of the tables. */
function documentedRows(): ReadonlySet<string> {
  const lines = readFileSync(DIFFERENCES, 'utf8').split('\n');
  return new Set(lines.flatMap((line) => /^\| (.*?) +\|/u.exec(line)?.[1] ?? []));
}

describe('each known difference', () => {
  it('has a row in the reference of the differences', () => {
    const rows = documentedRows();
    const known = [...KNOWN_CHANGES, ...KNOWN_METADATA, ...KNOWN_MANIFESTS];
    expect(known.map(({ row }) => row).filter((row) => row !== NO_ROW && !rows.has(row))).toEqual([]);
    expect(new Set(known.filter(({ row }) => row === NO_ROW).map(({ why }) => why))).toEqual(
      new Set(['kube-apiserver has made these itself']),
    );
  });

  it('is about a damage that is made', async () => {
    const schemas = await loadSchemas();
    const requests = WHOLE_BODIES.flatMap((body) => {
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
