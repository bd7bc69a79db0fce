import { needs } from '@listwatch/conformance/parts';
import { isRecord } from '@listwatch/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownDamages } from './damage/known-damages.ts';
import { KNOWN_METADATA } from './damage/known-metadata.ts';
import { METADATA_MUTATIONS, type MetadataMutation } from './damage/mutated-metadata.ts';
import { SMALL_BODIES } from './kind-bodies/whole-bodies.ts';
import { compared, KindSides, titled } from './kind-sides.ts';
import { placeOf } from './kind-story.ts';
import { SidesSurvey } from './sides-survey.ts';

function mutationsFor(kind: string, use: 'create' | 'update'): readonly MetadataMutation[] {
  const known = knownDamages(KNOWN_METADATA, kind);
  return METADATA_MUTATIONS.filter(({ title, only = use }) => only === use && !known(`${use} ${title}`));
}

const BODIES = titled(compared(SMALL_BODIES));

describe('metadata of every kind, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  let sides: KindSides;

  beforeAll(async () => {
    sides = await KindSides.start();
  }, 120_000);
  afterAll(() => sides?.[Symbol.asyncDispose]());

  it.each(BODIES)('%s: wrong metadata is refused alike', { timeout: 300_000 }, async (_, body) => {
    const { collection, name, object } = placeOf(body);
    const survey = new SidesSurvey(sides);
    const metadata = { name, labels: { app: 'a' } };
    await survey.send(mutationsFor(body.kind, 'create'), ({ title, change }) => ({
      title: `create ${title}`,
      request: { method: 'POST', path: `${collection}?dryRun=All`, body: { ...object, metadata: change(metadata) } },
    }));
    const [real, own] = await sides.answers({ method: 'POST', path: collection, body: object });
    expect(own.slice(0, 3)).toBe(real.slice(0, 3));
    const path = `${collection}/${name}`;
    await sides.established(path);
    await survey.send(mutationsFor(body.kind, 'update'), ({ title, change }) => ({
      title: `update ${title}`,
      request: async (side) => {
        const stored = await side.stored(path);
        const old = isRecord(stored['metadata']) ? stored['metadata'] : {};
        return { method: 'PUT', path: `${path}?dryRun=All`, body: { ...stored, metadata: change(old) } };
      },
    }));
    await sides.answers({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
    survey.expectNoDifference();
  });
});
