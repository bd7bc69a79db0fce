import { isRecord } from '@listwatch/api/values';
import { needs } from '@listwatch/conformance/parts';
import { loadSchemas } from '@listwatch/kinds/data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DamagedBody, damagedBodies } from './damage/damaged-bodies.ts';
import { KNOWN_CHANGES, knownDamages } from './damage/known-damages.ts';
import type { OwnedBody } from './kind-bodies/owned-body.ts';
import { WHOLE_BODIES } from './kind-bodies/whole-bodies.ts';
import { compared, KindSides, kindOf, titled } from './kind-sides.ts';
import { placeOf } from './kind-story.ts';
import { SidesSurvey } from './sides-survey.ts';

/** Damages of a kind that are sent; DAMAGES=1000000 sends all. */
const SAMPLE = Number(process.env['DAMAGES'] ?? 60);

const BODIES = compared(WHOLE_BODIES);

describe('changes of every kind, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  const schemas = loadSchemas();
  let sides: KindSides;

  beforeAll(async () => {
    sides = await KindSides.start();
  }, 120_000);
  afterAll(() => sides?.[Symbol.asyncDispose]());

  async function create(body: OwnedBody): Promise<string> {
    const { collection, name, object } = placeOf(body);
    const [real, own] = await sides.answers({ method: 'POST', path: collection, body: object });
    // 409 and 422: the test before has made it, and it has its node ports.
    expect(own.slice(0, 3)).toBe(real.slice(0, 3));
    await sides.established(`${collection}/${name}`);
    return `${collection}/${name}`;
  }

  /** Puts each damaged object to `path`: nothing is stored. */
  async function compare(path: string, endpoint: string, damages: readonly DamagedBody[]): Promise<void> {
    const survey = new SidesSurvey(sides);
    await survey.send(damages, ({ damage, object }) => ({
      title: damage,
      request: async (side) => {
        const { metadata } = await side.stored(path);
        const body = { ...(isRecord(object) ? object : {}), metadata };
        return { method: 'PUT', path: `${path}${endpoint}?dryRun=All`, body };
      },
    }));
    survey.expectNoDifference();
  }

  async function sampled(body: OwnedBody, object: object, isWanted: (damage: string) => boolean) {
    const known = knownDamages(KNOWN_CHANGES, body.kind);
    const all = [...damagedBodies(await schemas, kindOf(body).type, object)].filter(
      ({ damage }) => isWanted(damage) && !known(damage),
    );
    const step = Math.max(1, Math.ceil(all.length / SAMPLE));
    return all.filter((_, index) => index % step === 0);
  }

  it.each(titled(BODIES))('%s: a damaged change is refused alike', { timeout: 600_000 }, async (_, body) => {
    const path = await create(body);
    const damages = await sampled(body, placeOf(body).object, (damage) => !damage.startsWith('.status'));
    await compare(path, '', damages);
  });

  const withStatus = BODIES.filter((body) => body.status !== undefined && 'status' in kindOf(body).subresources);
  it.each(titled(withStatus))('%s: a damaged status is refused alike', { timeout: 600_000 }, async (_, body) => {
    const path = await create(body);
    const object = { ...placeOf(body).object, status: body.status };
    const damages = await sampled(body, object, (damage) => damage.startsWith('.status'));
    await compare(path, '/status', damages);
  });
});
