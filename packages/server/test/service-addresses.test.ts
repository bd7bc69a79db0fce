import { ApiClient } from '@listwatch/conformance/server';
import { serviceAddresses } from '@listwatch/rules/internal';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestServer } from './test-server.ts';

const COUNT = 100;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('Services that are created at the same time', () => {
  it('have addresses and node ports of their own, a hundred of them', async () => {
    await using engine = createMemoryEngine();
    const commit = engine.commit.bind(engine);
    const waiting: (() => void)[] = [];
    // Memory is too fast for two to meet: here the store begins when all of them are there.
    vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
      if (change.key.includes('/services/specs/default/s')) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === COUNT) waiting.forEach((go) => go());
        });
      }
      return commit(change, options);
    });
    await using server = await startTestServer(engine);
    const client = new ApiClient(server, { maxSockets: COUNT });
    // Without it two of a hundred would hardly ever meet in a range of a million.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const answers = await Promise.all(
      Array.from({ length: COUNT }, (_, i) =>
        client.request('POST', '/api/v1/namespaces/default/services', {
          body: { metadata: { name: `s${i}` }, spec: { type: 'NodePort', ports: [{ port: 80 }] } },
        }),
      ),
    );
    client.close();
    expect(answers.map(({ status }) => status)).toEqual(Array(COUNT).fill(201));
    const given = answers.map(({ text }) => serviceAddresses(JSON.parse(text)));
    expect(new Set(given.flatMap(({ ips }) => ips)).size).toBe(COUNT);
    expect(new Set(given.flatMap(({ nodePorts }) => nodePorts)).size).toBe(COUNT);
  });
});
