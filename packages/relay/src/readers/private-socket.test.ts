import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { listenPrivately, removeStaleSockets } from './private-socket.ts';

const root = mkdtempSync(join(tmpdir(), 'stale-sockets-'));

afterEach(() => {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
});

/** As old as if its process had been killed a while ago. */
function age(folder: string): void {
  utimesSync(folder, new Date(0), new Date(0));
}

/** The folder of a socket whose process was killed. */
async function killedSocket(name: string): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder, { mode: 0o700 });
  const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', listen, join(folder, 'primary.sock')]), 'exit');
  age(folder);
  return folder;
}

it('the sockets of killed processes are removed, those of others and other people’s folders stay', async () => {
  const killed = await killedSocket('listwatch-readers-killed');
  const foreign = await killedSocket('listwatch-readers-open-to-all');
  chmodSync(foreign, 0o755);
  const other = await killedSocket('listwatch-something');
  const withMore = await killedSocket('listwatch-readers-with-more');
  writeFileSync(join(withMore, 'precious'), '');
  const old = join(root, 'listwatch-readers-unfinished');
  mkdirSync(old, { mode: 0o700 });
  age(old);
  const young = join(root, 'listwatch-readers-young');
  mkdirSync(young, { mode: 0o700 });
  await removeStaleSockets(root);
  expect([killed, old].filter(existsSync)).toEqual([]);
  expect([foreign, other, young, join(withMore, 'precious')].every(existsSync)).toBe(true);
});

it('a socket that somebody listens on stays, however old it is', async () => {
  const socket = await listenPrivately((client) => client.destroy());
  try {
    age(dirname(socket.path));
    await removeStaleSockets();
    expect(existsSync(socket.path)).toBe(true);
  } finally {
    socket.close();
  }
  expect(existsSync(dirname(socket.path))).toBe(false);
});

it('a folder that is not there is nothing to clean', async () => {
  await expect(removeStaleSockets(join(root, 'no'))).resolves.toBeUndefined();
});
