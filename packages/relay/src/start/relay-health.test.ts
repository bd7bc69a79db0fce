import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { listenForHealth, type ShownRelay } from './relay-health.ts';

const PLACE = { host: '127.0.0.1', port: 0 };

function shown(metrics: () => Promise<string>): ShownRelay {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state is only written as JSON
  return { ready: false, metrics, state: { kinds: [] } as unknown as ShownRelay['state'] };
}

it('shows what a relay knows of itself, and nothing else', async () => {
  const health = await listenForHealth(
    shown(async () => 'x 1\n'),
    PLACE,
  );
  const paths = ['/livez', '/healthz?x', '/readyz', '/metrics', '/debug/relay', '/api'];
  const answers = await Promise.all(paths.map((path) => fetch(health.url + path)));
  expect(await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`))).toEqual([
    '200 ok',
    '200 ok',
    '503 the kinds are being loaded\n',
    '200 x 1\n',
    '200 {\n  "kinds": []\n}\n',
    '404 not found\n',
  ]);
  expect((await fetch(health.url)).headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await fetch(health.url, { method: 'POST' })).status).toBe(405);
  await health.close();
});

it('cuts a connection that pipelines, and answers the others', async () => {
  let asked = 0;
  const health = await listenForHealth(
    shown(() => {
      asked++;
      return new Promise(() => {});
    }),
    PLACE,
  );
  const greedy = connect(Number(new URL(health.url).port), '127.0.0.1');
  greedy.on('error', () => {}).resume();
  greedy.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
  await expect.poll(() => greedy.closed).toBe(true);
  expect(asked).toBe(3);
  expect((await fetch(`${health.url}/livez`)).status).toBe(200);
  await health.close();
});

it('rejects with the error of Node when the address is taken', async () => {
  const relay = shown(async () => '');
  const health = await listenForHealth(relay, PLACE);
  const port = Number(new URL(health.url).port);
  await expect(listenForHealth(relay, { ...PLACE, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
  });
  await health.close();
});
