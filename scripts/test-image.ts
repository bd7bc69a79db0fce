// `npm run test:image`: what container/Dockerfile makes, without a container engine: a root with node, its libraries and the installed
// tarballs, mounted read-only, entered as user 65532. Linux, as root. The server must start, answer its check of health, keep its data and stop;
// so must the relay and the console.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packPackages } from './release/pack-packages.ts';
import { REHEARSAL_ADDRESS } from './release/project-address.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dockerfile = readFileSync(join(root, 'container/Dockerfile'), 'utf8');
/** What the Dockerfile says, so that this runs what it says: an instruction that is not there is an error. */
function instruction(pattern: RegExp): string {
  const [, text] = pattern.exec(dockerfile) ?? [];
  if (text === undefined) throw new Error(`container/Dockerfile has nothing like ${String(pattern)}`);
  return text;
}

function words(pattern: RegExp): readonly string[] {
  const list: readonly string[] = JSON.parse(instruction(pattern));
  return list;
}

const USER = Number(instruction(/^USER (\d+):\1$/mu));
const ENVIRONMENT = instruction(/^ENV (.+)$/mu);
const ENTRYPOINT = words(/^ENTRYPOINT (\[.+\])$/mu);
const COMMAND = words(/^CMD (\[.+\])$/mu);
const HEALTH = words(/^HEALTHCHECK .*CMD (\[.+\])$/mu);
const INSTALL = instruction(/^RUN npm (install .*?) \/tarballs/mu).split(' ');
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-image-'));
const clean = join(scratch, 'root');
const data = join(scratch, 'data');
const PORT = '16443';
const RELAY_PORT = '16444';
const RELAY_HEALTH_PORT = '16445';
const CONSOLE_PORT = '16480';

function run(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`);
  return stdout;
}

function copy(file: string): void {
  const target = join(clean, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(realpathSync(file), target);
}

/** The base: node and what it links to, and nothing else. */
function makeRoot(): void {
  const node = realpathSync(process.execPath);
  for (const [, library = ''] of run('ldd', [node]).matchAll(/(\/\S+\.so\S*)/gu)) copy(library);
  mkdirSync(join(clean, 'usr/local/bin'), { recursive: true });
  copyFileSync(node, join(clean, 'usr/local/bin/node'));
  chmodSync(join(clean, 'usr/local/bin/node'), 0o755);
  for (const folder of ['app', 'data', 'proc', 'dev', 'tmp']) mkdirSync(join(clean, folder), { recursive: true });
  const tarballs = packPackages(join(scratch, 'tarballs'), REHEARSAL_ADDRESS).map(({ tarball }) => tarball);
  run('npm', [...INSTALL, '--loglevel=error', ...tarballs], join(clean, 'app'));
  copyFileSync(join(root, 'container/healthcheck.mjs'), join(clean, 'app/healthcheck.mjs'));
  mkdirSync(data);
  chownSync(data, USER, USER);
}

/** Runs a command of the image: its own mounts, a root that nobody can write to, no rights. */
function enter(command: readonly string[], env = ''): ChildProcess {
  const script = `set -e
    mount --bind "${clean}" "${clean}"
    mount --bind "${data}" "${clean}/data"
    mount -t proc proc "${clean}/proc"
    for device in null urandom; do touch "${clean}/dev/$device"; mount --bind /dev/$device "${clean}/dev/$device"; done
    mount -o remount,ro,bind "${clean}"
    exec env -i PATH=/usr/local/bin ${ENVIRONMENT} LISTWATCH_PORT=${PORT} ${env} \
      /usr/sbin/chroot --userspec=${USER}:${USER} --groups= "${clean}" ${command.map((word) => `'${word}'`).join(' ')}`;
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function codeOf(
  command: readonly string[],
  env = '',
): Promise<{ readonly code: unknown; readonly said: string }> {
  const child = enter(command, env);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (more: Buffer) => (said += more.toString()));
  const [code]: unknown[] = await once(child, 'exit');
  return { code, said };
}

/** Starts a program of the command, and waits until it says that it is ready. */
async function start(args: readonly string[], ready: RegExp): Promise<ChildProcess> {
  const child = enter([...ENTRYPOINT, ...args]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (more: Buffer) => (said += more.toString()));
  for (let waited = 0; !ready.test(said); waited += 100) {
    if (child.exitCode !== null || waited > 60_000) throw new Error(`${args.join(' ')} did not start:\n${said}`);
    await delay(100);
  }
  return child;
}

async function serve(): Promise<ChildProcess> {
  return start(COMMAND, /Ready at/u);
}

/** The other programs of the image, in front of its server. */
async function checkOthers(): Promise<void> {
  const cluster = ['--kubeconfig', '/data/kubeconfig'];
  const relayed = ['--kinds', 'configmaps', '--port', RELAY_PORT, '--health-address', `127.0.0.1:${RELAY_HEALTH_PORT}`];
  const relay = await start(['relay', ...cluster, ...relayed, '--data', '/data/relay'], /https:/u);
  const health = `LISTWATCH_HEALTH_URL=http://127.0.0.1:${RELAY_HEALTH_PORT}/livez`;
  check('the relay starts, and its health is good', (await codeOf(HEALTH, health)).code === 0);
  await stop(relay, 143);
  const page = await start(['console', ...cluster, '--port', CONSOLE_PORT], /http:/u);
  const { status } = await fetch(`http://127.0.0.1:${CONSOLE_PORT}/`);
  check('the console starts and serves its page', status === 200);
  const asked = `LISTWATCH_HEALTH_URL=http://127.0.0.1:${CONSOLE_PORT}/`;
  check('its health is good', (await codeOf(HEALTH, asked)).code === 0);
  await stop(page, 143);
}

async function stop(child: ChildProcess, expected: number): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code]: unknown[] = await ended;
  check(`SIGTERM ends it with ${expected}`, code === expected);
}

function check(what: string, passed: boolean): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${what}`);
  if (!passed) process.exitCode = 1;
}

/** Mounts, another root and another user are for root alone. */
function asRoot(): never {
  const command = [
    'env',
    `PATH=${process.env['PATH']}`,
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ];
  process.exit(spawnSync('sudo', ['-n', ...command], { cwd: root, stdio: 'inherit' }).status ?? 1);
}

if (process.getuid?.() !== 0) asRoot();
try {
  run(process.execPath, ['scripts/build.mjs']);
  makeRoot();
  const writes = await codeOf(['node', '-e', 'require("fs").writeFileSync("/app/x", "")']);
  check('the root file system is read-only', writes.code !== 0 && /EROFS|EACCES/u.test(writes.said));
  const who = await codeOf(['node', '-p', 'process.getuid()']);
  check(`it runs as user ${USER}`, who.said.trim() === String(USER));
  check('without a server its health is bad', (await codeOf(HEALTH)).code === 1);
  const first = await serve();
  check('the server starts, and its health is good', (await codeOf(HEALTH)).code === 0);
  await checkOthers();
  await stop(first, 0);
  check('its data is in the volume', existsSync(join(data, 'data.mdb')) || existsSync(join(data, 'pki')));
  await stop(await serve(), 0);
  check('it starts again on its data', true);
} finally {
  rmSync(scratch, { recursive: true });
}
