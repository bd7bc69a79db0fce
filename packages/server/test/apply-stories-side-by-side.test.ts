import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GADGETS, STORIES } from './apply-stories.ts';
import { OwnedSide } from './owned-side.ts';
import { startTestServer } from './test-server.ts';

describe('stories of appliers and others', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let sides: readonly [OwnedSide, OwnedSide] | undefined;

  beforeAll(async () => {
    const real = await startKubeApiserver({ serviceRange: '10.96.0.0/12' });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides = [new OwnedSide(real), new OwnedSide(own)];
    for (const side of sides) {
      await side.start();
      await side.define(GADGETS);
    }
  }, 120_000);
  afterAll(async () => {
    for (const side of sides ?? []) side.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each(STORIES.map(({ title, steps }) => [title, steps] as const))('%s', async (_, steps) => {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = sides;
    for (const step of steps) {
      const shown = `${step.method} ${step.path} ${JSON.stringify(step.body)}`;
      expect.soft(`${shown}\n${await own.answer(step)}`).toBe(`${shown}\n${await real.answer(step)}`);
    }
  });
});
