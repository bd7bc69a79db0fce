import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_BODIES } from './kind-bodies/access-bodies.ts';
import { ADMISSION_BODIES } from './kind-bodies/admission-bodies.ts';
import { DEVICES_BODIES } from './kind-bodies/devices-bodies.ts';
import { FLOW_CONTROL_BODIES } from './kind-bodies/flow-control-bodies.ts';
import type { KindBodies } from './kind-bodies/kind-bodies.ts';
import { NETWORKING_BODIES } from './kind-bodies/networking-bodies.ts';
import { STORAGE_BODIES } from './kind-bodies/storage-bodies.ts';
import { CONFIG_MAPS, type SameRequest, Side } from './side-by-side.ts';
import { startTestServer } from './test-server.ts';

const KINDS: readonly KindBodies[] = [
  ...NETWORKING_BODIES,
  ...ACCESS_BODIES,
  ...STORAGE_BODIES,
  ...ADMISSION_BODIES,
  ...FLOW_CONTROL_BODIES,
  ...DEVICES_BODIES,
];

/** Nothing is stored, so that the bodies do not get in each other's way. */
function requestsOf({ apiVersion, kind, plural, namespaced, bodies }: KindBodies): readonly SameRequest[] {
  const [, , , , namespace] = CONFIG_MAPS.split('/');
  const path = `/apis/${apiVersion}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`;
  return bodies.map((body) => ({
    method: 'POST',
    path,
    query: { dryRun: 'All' },
    body: { apiVersion, kind, metadata: { name: 'x' }, ...body },
  }));
}

describe('a kind that is made with right and wrong bodies', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let sides: readonly [Side, Side] | undefined;

  beforeAll(async () => {
    const real = await startKubeApiserver();
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides = [new Side(real), new Side(own)];
    for (const side of sides) await side.fill();
  }, 120_000);
  afterAll(async () => {
    for (const side of sides ?? []) side.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each(KINDS.map((bodies) => [bodies.kind, bodies] as const))('%s gets the same answers', async (_, bodies) => {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = sides;
    for (const request of requestsOf(bodies)) {
      const sent = JSON.stringify(request.body);
      expect(`${sent}\n${await own.answer(request)}`).toBe(`${sent}\n${await real.answer(request)}`);
    }
  });
});
