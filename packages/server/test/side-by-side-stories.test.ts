import { needs } from '@listwatch/conformance/parts';
import { loadSchemas } from '@listwatch/kinds/data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damagedBodies } from './damage/damaged-bodies.ts';
import { KNOWN_DAMAGES, knownDamages } from './damage/known-damages.ts';
import {
  OWNED_ACCESS_BODIES,
  OWNED_NETWORKING_BODIES,
  OWNED_STORAGE_BODIES,
} from './kind-bodies/owned-cluster-bodies.ts';
import { OWNED_WORKLOAD_BODIES } from './kind-bodies/owned-workload-bodies.ts';
import { VIRTUAL_BODIES } from './kind-bodies/virtual-bodies.ts';
import { WHOLE_BODIES } from './kind-bodies/whole-bodies.ts';
import { compared, KindSides, kindOf, titled } from './kind-sides.ts';
import { placeOf, storyOf } from './kind-story.ts';
import { RICH_CORE_BODIES, RICH_VOLUME_BODIES } from './rich-bodies/rich-core-bodies.ts';
import { RICH_WORKLOAD_BODIES } from './rich-bodies/rich-workload-bodies.ts';
import { SidesSurvey } from './sides-survey.ts';

/** Core and workload kinds, with nearly every field. */
const RICH = [...RICH_CORE_BODIES, ...RICH_VOLUME_BODIES, ...RICH_WORKLOAD_BODIES];
/** The others. */
const OTHERS = [
  ...OWNED_ACCESS_BODIES,
  ...OWNED_NETWORKING_BODIES,
  ...OWNED_STORAGE_BODIES,
  ...OWNED_WORKLOAD_BODIES.filter(({ apiVersion }) => !/^(?:apps|batch)\//u.test(apiVersion)),
];
describe('every kind, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  const schemas = loadSchemas();
  let sides: KindSides;

  beforeAll(async () => {
    sides = await KindSides.start();
  }, 120_000);
  afterAll(() => sides?.[Symbol.asyncDispose]());

  it.each(titled(compared([...RICH, ...OTHERS])))('%s: created, changed, listed and deleted alike', async (_, body) => {
    for (const request of storyOf(body, kindOf(body))) {
      const shown = `${request.method} ${request.path} ${JSON.stringify(request.headers ?? {})}`;
      const [real, own] = await sides.answers(request);
      expect.soft(`${shown}\n${own}`).toBe(`${shown}\n${real}`);
    }
  });

  it.each(titled(WHOLE_BODIES))('%s: refused alike with one leaf broken', { timeout: 600_000 }, async (_, body) => {
    const { collection, object } = placeOf(body);
    const known = knownDamages(KNOWN_DAMAGES, body.kind);
    const broken = [...damagedBodies(await schemas, kindOf(body).type, object)].filter(({ damage }) => !known(damage));
    const survey = new SidesSurvey(sides);
    await survey.send(broken, ({ damage, object: damaged }) => ({
      title: damage,
      request: { method: 'POST', path: `${collection}?dryRun=All`, body: damaged },
    }));
    survey.expectNoDifference();
  });

  it.each(titled(VIRTUAL_BODIES))('%s: answered alike, whole and with one leaf broken', async (_, body) => {
    const { collection, object: whole } = placeOf(body);
    const metadata = body.kind === 'Binding' ? whole['metadata'] : {};
    const object = { ...whole, metadata };
    const known = knownDamages(KNOWN_DAMAGES, body.kind);
    const broken = [...damagedBodies(await schemas, kindOf(body).type, object)].filter(({ damage }) => !known(damage));
    const survey = new SidesSurvey(sides);
    await survey.send([{ damage: 'whole', object }, ...broken], ({ damage, object: damaged }) => ({
      title: damage,
      request: { method: 'POST', path: collection, body: damaged },
    }));
    survey.expectNoDifference();
  });
});
