import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OWNED_ACCESS_BODIES,
  OWNED_NETWORKING_BODIES,
  OWNED_STORAGE_BODIES,
} from './kind-bodies/owned-cluster-bodies.ts';
import { OWNED_CORE_BODIES, OWNED_WORKLOAD_BODIES } from './kind-bodies/owned-workload-bodies.ts';
import { compared, titled } from './kind-sides.ts';
import { conversationOf, OwnedSide } from './owned-side.ts';
import { startTestServer } from './test-server.ts';

const BODIES = [
  ...OWNED_CORE_BODIES,
  ...OWNED_WORKLOAD_BODIES,
  ...OWNED_NETWORKING_BODIES,
  ...OWNED_ACCESS_BODIES,
  ...OWNED_STORAGE_BODIES,
];

describe('who owns the fields of an object', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let sides: readonly [OwnedSide, OwnedSide] | undefined;

  beforeAll(async () => {
    const real = await startKubeApiserver();
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides = [new OwnedSide(real), new OwnedSide(own)];
    for (const side of sides) await side.start();
  }, 120_000);
  afterAll(async () => {
    for (const side of sides ?? []) side.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each(titled(compared(BODIES)))('%s: the same after every write', async (_, body) => {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = sides;
    for (const step of conversationOf(body)) {
      const shown = `${step.method} ${step.path} ${JSON.stringify(step.body)}`;
      expect(`${shown}\n${await own.answer(step)}`).toBe(`${shown}\n${await real.answer(step)}`);
    }
  });

  it('the objects of a new cluster have the same owners', async () => {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = sides;
    for (const path of [
      '/api/v1/namespaces/kube-system',
      '/api/v1/namespaces/default/services/kubernetes',
      '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
      '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/global-default',
    ]) {
      const owners = async (side: OwnedSide): Promise<string> => `${path} ${await side.owners(path)}`;
      expect(await owners(own)).toBe(await owners(real));
    }
  });
});
