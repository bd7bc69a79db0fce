import { isRecord } from '@listwatch/api/values';
import { needs } from '@listwatch/conformance/parts';
import { loadSchemas } from '@listwatch/kinds/data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DamagedBody, damagedBodies } from './damage/damaged-bodies.ts';
import { KNOWN_CHANGES } from './damage/known-damages.ts';
import type { OwnedBody } from './kind-bodies/owned-body.ts';
import { KindSides, kindOf, titled } from './kind-sides.ts';
import { placeOf } from './kind-story.ts';
import { RICH_CORE_BODIES, RICH_VOLUME_BODIES } from './rich-bodies/rich-core-bodies.ts';
import { RICH_WORKLOAD_BODIES } from './rich-bodies/rich-workload-bodies.ts';

const RICH = [...RICH_CORE_BODIES, ...RICH_VOLUME_BODIES, ...RICH_WORKLOAD_BODIES];
/** Damages of a kind that are sent; DAMAGES=1000000 sends all. */
const SAMPLE = Number(process.env['DAMAGES'] ?? 60);
/** Requests that are under way at once. */
const CONCURRENCY = 12;

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
    return `${collection}/${name}`;
  }

  /** The damages that the two answer differently when each is put to `path`. */
  async function differences(path: string, endpoint: string, damages: readonly DamagedBody[]): Promise<string[]> {
    const all = [...damages];
    const found: string[] = [];
    const worker = async (): Promise<void> => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) {
        const { damage, object } = next;
        const [real, own] = await sides.answers(async (side) => {
          const { metadata } = await side.stored(path);
          const body = { ...(isRecord(object) ? object : {}), metadata };
          return { method: 'PUT', path: `${path}${endpoint}?dryRun=All`, body };
        });
        if (real !== own) found.push(`${damage}\n  real ${real}\n  own  ${own}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return found;
  }

  async function sampled(body: OwnedBody, object: object, isWanted: (damage: string) => boolean) {
    const known = KNOWN_CHANGES.filter(({ kind }) => kind === undefined || kind === body.kind);
    const all = [...damagedBodies(await schemas, kindOf(body).type, object)].filter(
      ({ damage }) => isWanted(damage) && !known.some((one) => one.damage.test(damage)),
    );
    const step = Math.max(1, Math.ceil(all.length / SAMPLE));
    return all.filter((_, index) => index % step === 0);
  }

  it.each(titled(RICH))('%s: a damaged change is refused alike', { timeout: 600_000 }, async (_, body) => {
    const path = await create(body);
    const damages = await sampled(body, placeOf(body).object, (damage) => !damage.startsWith('.status'));
    expect(await differences(path, '', damages)).toEqual([]);
  });

  const withStatus = RICH.filter((body) => body.status !== undefined && 'status' in kindOf(body).subresources);
  it.each(titled(withStatus))('%s: a damaged status is refused alike', { timeout: 600_000 }, async (_, body) => {
    const path = await create(body);
    const object = { ...placeOf(body).object, status: body.status };
    const damages = await sampled(body, object, (damage) => damage.startsWith('.status'));
    expect(await differences(path, '/status', damages)).toEqual([]);
  });
});
