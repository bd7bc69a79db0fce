import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { KIND_TABLE, loadSchemas } from '@listwatch/kinds/data';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damagedBodies } from './damage/damaged-bodies.ts';
import { KNOWN_DAMAGES } from './damage/known-damages.ts';
import type { OwnedBody } from './kind-bodies/owned-body.ts';
import {
  OWNED_ACCESS_BODIES,
  OWNED_NETWORKING_BODIES,
  OWNED_STORAGE_BODIES,
} from './kind-bodies/owned-cluster-bodies.ts';
import { OWNED_WORKLOAD_BODIES } from './kind-bodies/owned-workload-bodies.ts';
import { type KindRequest, KindSide } from './kind-side.ts';
import { placeOf, storyOf } from './kind-story.ts';
import { RICH_CORE_BODIES, RICH_VOLUME_BODIES } from './rich-bodies/rich-core-bodies.ts';
import { RICH_WORKLOAD_BODIES } from './rich-bodies/rich-workload-bodies.ts';
import { startTestServer } from './test-server.ts';

/** Core and workload kinds, with nearly every field. */
const RICH = [...RICH_CORE_BODIES, ...RICH_VOLUME_BODIES, ...RICH_WORKLOAD_BODIES];
/** The others. */
const OTHERS = [
  ...OWNED_ACCESS_BODIES,
  ...OWNED_NETWORKING_BODIES,
  ...OWNED_STORAGE_BODIES,
  ...OWNED_WORKLOAD_BODIES.filter(({ apiVersion }) => !/^(?:apps|batch)\//u.test(apiVersion)),
];
/** Requests that are under way at once. */
const CONCURRENCY = 12;

const titled = (bodies: readonly OwnedBody[]): readonly (readonly [string, OwnedBody])[] =>
  bodies.map((body) => [`${body.apiVersion} ${body.kind} ${body.name ?? ''}`.trim(), body] as const);

function dataOf({ apiVersion, kind }: OwnedBody): (typeof KIND_TABLE)[number] {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = KIND_TABLE.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (found === undefined) throw new Error(`there is no kind ${apiVersion} ${kind}`);
  return found;
}

describe('every kind, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  const schemas = loadSchemas();
  let sides: readonly [real: KindSide, own: KindSide] | undefined;

  beforeAll(async () => {
    const real = await startKubeApiserver({ serviceRange: '10.96.0.0/12' });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides = [new KindSide(real), new KindSide(own)];
    for (const side of sides) await side.start();
  }, 120_000);
  afterAll(async () => {
    for (const side of sides ?? []) side.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  async function answers(request: KindRequest): Promise<readonly [real: string, own: string]> {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = sides;
    return [await real.answer(request), await own.answer(request)];
  }

  it.each(titled([...RICH, ...OTHERS]))('%s: created, changed, listed and deleted alike', async (_, body) => {
    for (const request of storyOf(body, dataOf(body))) {
      const shown = `${request.method} ${request.path} ${JSON.stringify(request.headers ?? {})}`;
      const [real, own] = await answers(request);
      expect.soft(`${shown}\n${own}`).toBe(`${shown}\n${real}`);
    }
  });

  it.each(titled(RICH))('%s: refused alike when it is damaged in one place', { timeout: 600_000 }, async (_, body) => {
    const { collection, object } = placeOf(body);
    const known = KNOWN_DAMAGES.filter(({ kind }) => kind === undefined || kind === body.kind);
    const all = [...damagedBodies(await schemas, dataOf(body).type, object)].filter(
      ({ damage }) => !known.some((one) => one.damage.test(damage)),
    );
    const differences: string[] = [];
    const worker = async (): Promise<void> => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) {
        const { damage, object: damaged } = next;
        const [real, own] = await answers({ method: 'POST', path: `${collection}?dryRun=All`, body: damaged });
        if (real !== own) differences.push(`${damage}\n  real ${real}\n  own  ${own}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    expect(differences).toEqual([]);
  });
});
