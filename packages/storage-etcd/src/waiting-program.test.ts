import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { packageFlags } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { expect, it } from 'vitest';

/** Programs that have nothing but the engine: no port, no timer of their own. */
const CALLS = `
const { createEtcdEngine } = await import('@listwatch/storage-etcd');
const engine = createEtcdEngine({ endpoints: [process.argv[1]], requestTimeout: '1s' });
try { await engine.revision(); } catch (error) { console.log(error.code); }
`;
const WATCHES = `
const { createEtcdEngine } = await import('@listwatch/storage-etcd');
const engine = createEtcdEngine({ endpoints: [process.argv[1]] });
for await (const _ of engine.watch('/', { after: 1n }));
`;

interface HangingUp extends AsyncDisposable {
  readonly url: string;
  readonly connections: () => number;
}

/** Where etcd should be there is a server that hangs up. */
async function hangingUp(): Promise<HangingUp> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    async [Symbol.asyncDispose](): Promise<void> {
      server.close();
      await once(server, 'close');
    },
  };
}

function start(program: string, url: string): ChildProcess {
  const args = [...packageFlags(), '--import', 'tsx', '--input-type=module', '-e', program, url];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

// A program that nothing keeps alive ends during the first pause, without an error.
it('a program whose only call finds no etcd is told that it is unavailable', async () => {
  await using nobody = await hangingUp();
  const child = start(CALLS, nobody.url);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code]: unknown[] = await once(child, 'close');
  expect({ code, output }).toEqual({ code: 0, output: 'UNAVAILABLE\n' });
}, 60_000);

it('a program that only watches lives on while it waits to try again', async () => {
  await using nobody = await hangingUp();
  const child = start(WATCHES, nobody.url);
  const ended = once(child, 'close');
  let isOver = false;
  child.once('close', () => (isOver = true));
  try {
    await eventually(
      'it tries for the fourth time, or has ended',
      () => isOver || nobody.connections() >= 4 || undefined,
    );
    expect(isOver).toBe(false);
  } finally {
    child.kill();
    await ended;
  }
}, 60_000);
