import { createMemoryEngine, StorageError } from '@listwatch/storage';
import { afterEach, expect, it, vi } from 'vitest';
import { SteeredEngine } from '../../test/steered-engine.fixture.ts';
import { CRDS, CustomServer, LIMIT, pathOf, widget, widgets } from './custom-server.fixture.ts';

const GROUP = 'refused.example.com';
const NAME = `widgets.${GROUP}`;

afterEach(() => vi.restoreAllMocks());

it('the deletion of a definition backs off while the store refuses, is reported once, and ends when it works again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  await using store = createMemoryEngine();
  const engine = new SteeredEngine(store);
  const errors: unknown[] = [];
  await using server = await CustomServer.start({ engine, onError: (error) => errors.push(error) });
  await server.install(widgets(GROUP));
  await server.ok('POST', pathOf(GROUP), widget(GROUP, 'one'));
  let attempts = 0;
  let isRefusing = true;
  engine.beforeCommits(`/registry/${GROUP}/`, async () => {
    attempts += 1;
    if (isRefusing) throw new StorageError('UNAVAILABLE', 'the store refuses');
  });
  await server.ok('DELETE', `${CRDS}/${NAME}`);
  await vi.waitFor(() => expect(attempts).toBe(1), LIMIT);
  // Pauses of 100, 200, 400, ... ms: the attempts come at 0.1, 0.3, 0.7, 1.5, 3.1, 6.3 and 12.7 s.
  for (let second = 0; second < 20; second += 1) await server.clock.advance(1000);
  expect(attempts).toBe(8);
  expect(errors).toMatchObject([{ code: 'UNAVAILABLE' }]);
  isRefusing = false;
  await server.clock.advance(30_000);
  await server.gone(NAME);
});
