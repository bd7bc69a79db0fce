import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InProcessServer } from './in-process-server.fixture.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a start', () => {
  it('on an empty store commits the default objects at once, and one on a store that has them commits nothing', async () => {
    await using engine = createMemoryEngine();
    const commit = engine.commit.bind(engine);
    let underWay = 0;
    let most = 0;
    const commits = vi.spyOn(engine, 'commit').mockImplementation(async (...args) => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      const result = await commit(...args);
      underWay -= 1;
      return result;
    });
    await (await InProcessServer.start({ engine }))[Symbol.asyncDispose]();
    // 133 roles and bindings, and the other default objects.
    expect(most).toBeGreaterThan(150);
    commits.mockClear();
    await (await InProcessServer.start({ engine }))[Symbol.asyncDispose]();
    expect(commits).not.toHaveBeenCalled();
  });

  it('creates what is missing on a store that was used before', async () => {
    await using engine = createMemoryEngine();
    await (await InProcessServer.start({ engine }))[Symbol.asyncDispose]();
    const gone = [
      '/registry/services/specs/default/kubernetes',
      '/registry/clusterroles/view',
      '/registry/namespaces/default',
    ];
    for (const key of gone) expect((await engine.commit({ type: 'delete', key })).committed).toBe(true);
    await using server = await InProcessServer.start({ engine });
    for (const path of [
      '/api/v1/namespaces/default/services/kubernetes',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/view',
      '/api/v1/namespaces/default',
    ])
      expect((await server.ask('GET', path)).status).toBe(200);
  });
});
