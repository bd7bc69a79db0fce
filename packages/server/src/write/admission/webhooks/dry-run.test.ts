import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HookedServer } from './hook-server.fixture.ts';

let engine: StorageEngine;
let hooked: HookedServer;
let ns: string;

beforeEach(async () => {
  engine = createMemoryEngine();
  hooked = await HookedServer.start({ engine });
  ns = await hooked.namespace();
});

afterEach(async () => {
  await hooked[Symbol.asyncDispose]();
});

function create(name: string, dryRun: boolean): ReturnType<HookedServer['server']['ask']> {
  const path = `/api/v1/namespaces/${ns}/configmaps${dryRun ? '?dryRun=All' : ''}`;
  return hooked.server.ask('POST', path, { metadata: { name } });
}

/** Rewrites the configuration in the store: validation would refuse it today. */
async function storeSideEffects(path: string, sideEffects: string): Promise<void> {
  const { entry } = await engine.get(path.replace(/^.*(?=\/[^/]+\/[^/]+$)/u, '/registry'));
  if (entry === undefined) throw new Error(`${path} is not stored`);
  const text = Buffer.from(entry.value).toString().replace('"sideEffects":"None"', `"sideEffects":"${sideEffects}"`);
  await engine.commit({ type: 'put', key: entry.key, value: Buffer.from(text), expected: entry.modRevision });
  await hooked.server.ok('GET', path.slice(0, path.lastIndexOf('/')));
}

it.each(['None', 'NoneOnDryRun'])(
  'a webhook with the side effects %s is asked in a dry run, and nothing is stored',
  async (sideEffects) => {
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm', { sideEffects }));
    await hooked.configure('Validating', hooked.hookOf(ns, 'v', { sideEffects }));
    expect((await create('a', true)).status).toBe(201);
    expect(hooked.hook.calls.map(({ path, request: { dryRun, options } }) => [path, dryRun, options.dryRun])).toEqual([
      ['m', true, ['All']],
      ['v', true, ['All']],
    ]);
    expect((await hooked.server.ok('GET', `/api/v1/namespaces/${ns}/configmaps`)).items).toEqual([]);
  },
);

it.each<['Mutating' | 'Validating', string, string]>([
  ['Mutating', 'Some', 'Fail'],
  ['Validating', 'Some', 'Ignore'],
  ['Validating', 'Unknown', 'Fail'],
])('a %s webhook with the stored side effects %s refuses a dry run under %s, and is not asked', async (...given) => {
  const [type, sideEffects, failurePolicy] = given;
  const path = await hooked.configure(type, hooked.hookOf(ns, 'a', { failurePolicy }));
  await storeSideEffects(path, sideEffects);
  const { status, body } = await create('a', true);
  expect([status, body.reason, body.message]).toEqual([
    400,
    'BadRequest',
    'admission webhook "a.hook.example.com" does not support dry run',
  ]);
  expect(hooked.hook.calls).toEqual([]);
  expect((await create('a', false)).status).toBe(201);
  expect(hooked.hook.paths).toEqual(['a']);
});
