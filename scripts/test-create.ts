// `npm run test:create [-- operator|dashboard]`: scaffolds each template from the packed package, installs it from packed tarballs, and
// checks, tests, builds and runs it on Node 20, 22 and 24 against the server. Chromium looks at the dashboard, where there is one.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { type PackedPackage, packPackages } from './release/pack-packages.ts';
import { REHEARSAL_ADDRESS } from './release/project-address.ts';
import { installTools, toolFile } from './runtimes/tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const TEMPLATES = ['operator', 'dashboard'].filter((name) => wanted.length === 0 || wanted.includes(name));
const CHROMIUM = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
const canLook = existsSync(CHROMIUM);
if (!canLook && (process.env['REQUIRED_PARTS'] ?? '').split(',').includes('Chromium'))
  throw new Error(`nobody would look at the dashboard: there is no Chromium at ${CHROMIUM}; set CHROMIUM_BIN`);

/** The scripts that a project runs before it is run itself: those of its CI workflow, where it has one. */
function stepsOf(project: string): readonly string[] {
  const workflow = join(project, '.github/workflows/ci.yml');
  if (!existsSync(workflow)) return ['check', 'test', 'build'];
  const commands = readFileSync(workflow, 'utf8').matchAll(/- run: npm (?:run )?(?!install$)(\S+)$/gmu);
  return [...commands].map(([, script = '']) => script);
}

/** The programs of each line of Node. This one stands for its own line. */
function nodes(): readonly { readonly name: string; readonly bin: string }[] {
  return [
    { name: process.version, bin: dirname(process.execPath) },
    ...['node-22', 'node-24'].map((name) => ({ name, bin: dirname(toolFile(`${name}/bin/node`)) })),
  ];
}

function run(command: string, args: readonly string[], cwd: string, path = '', more: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...environment(path), ...more },
    maxBuffer: 1 << 28,
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}\n${stdout}${stderr}`);
  return stdout;
}

function environment(path: string): NodeJS.ProcessEnv {
  // What npm and vitest of this run have set is not what a newcomer has.
  const { NODE_OPTIONS: _, NODE_ENV: __, ...rest } = process.env;
  return { ...rest, PATH: path === '' ? rest['PATH'] : `${path}${delimiter}${rest['PATH']}` };
}

function scaffold(folder: string, template: string, packed: readonly PackedPackage[]): string {
  const create = join(folder, 'create');
  mkdirSync(create, { recursive: true });
  const tarball = packed.find(({ name }) => name === 'create-listwatch')?.tarball ?? '';
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', create], folder);
  run(
    process.execPath,
    [join(create, 'bin/create-listwatch.js'), `my-${template}`, '--template', template, '--kind', 'Backup'],
    folder,
  );
  const project = join(folder, `my-${template}`);
  const flags = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  run('npm', [...flags, ...packed.map((one) => one.tarball)], project);
  // esbuild's and TypeScript's programs come with packages for this platform; nothing needs an install script.
  return project;
}

/** Starts a program of the project, and waits until it says something. */
async function start(
  command: readonly string[],
  project: string,
  bin: string,
  ready: RegExp,
  env = {},
): Promise<ChildProcess> {
  const child = spawn(join(bin, 'node'), command, {
    cwd: project,
    env: { ...environment(bin), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (more: Buffer) => (said += more.toString()));
  for (let waited = 0; !ready.test(said); waited += 100) {
    if (child.exitCode !== null || waited > 120_000)
      throw new Error(`${command.join(' ')} did not say ${String(ready)}:\n${said}`);
    await delay(100);
  }
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const CREATE_AND_WAIT = `
import { connect } from '@listwatch/client';
import { deployments } from '@listwatch/kinds';
import { exists, waitFor } from '@listwatch/runtime';
import { backup } from './src/backup.ts';
const cluster = await connect();
const target = { namespace: 'default', name: 'shop' };
await cluster.create(backup.resource, backup.object({ metadata: target, spec: { image: 'shop:1' } }));
await waitFor(cluster, deployments, target, exists, { timeoutMs: 60_000 });
await cluster.delete(backup.resource, target);
await cluster.close();
console.log('deployed');
`;

/**
 * As a cluster has it: the manifests are applied, and the operator is its own ServiceAccount, without a right that they do not give. Nothing
 * routes to a Service here, so that the webhooks may be out of reach.
 */
const PUT_INTO_CLUSTER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { applyYaml, connect, loadYaml } from '@listwatch/client';
const cluster = await connect();
const objects = await loadYaml(readFileSync('deploy/operator.yaml', 'utf8'));
for (const { webhooks = [] } of objects) for (const webhook of webhooks) webhook.failurePolicy = 'Ignore';
await applyYaml(cluster, objects);
const { namespace, name } = objects.find(({ kind }) => kind === 'ServiceAccount').metadata;
const path = '/api/v1/namespaces/' + namespace + '/serviceaccounts/' + name + '/token';
const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
const { token } = (await (await cluster.raw(path, { method: 'POST', body })).json()).status;
await cluster.close();
const text = readFileSync(process.env.KUBECONFIG, 'utf8');
const [, server] = /server: "?([^"\\s]+)/u.exec(text);
const [, ca] = /certificate-authority-data: "?([^"\\s]+)/u.exec(text);
writeFileSync(process.env.OPERATOR_KUBECONFIG, JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'a', cluster: { server, 'certificate-authority-data': ca } }],
  users: [{ name: 'a', user: { token } }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace } }],
  'current-context': 'a',
}), { mode: 0o600 });
const operator = await connect({ kubeconfig: process.env.OPERATOR_KUBECONFIG });
const { status } = await operator.raw('/api/v1/namespaces/kube-system/secrets');
if (status !== 403) throw new Error('the operator may read every Secret: ' + status);
await operator.close();
console.log('put into the cluster');
`;

const CREATE_DEPLOYMENT = `
import { connect } from '@listwatch/client';
import { deployments } from '@listwatch/kinds';
const cluster = await connect();
const labels = { app: 'shop' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'shop:1' }] } };
const spec = { replicas: 2, selector: { matchLabels: labels }, template };
await cluster.create(deployments, { metadata: { namespace: 'default', name: 'shop' }, spec });
await cluster.close();
`;

/** The page must show the Deployment; without Chromium only what it is made of is asked for. */
async function look(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const list = await fetch(`${url}cluster/apis/apps/v1/deployments`);
  if (!page.includes('<h1>Deployments') || list.status !== 200)
    throw new Error(`the dashboard answers ${list.status}\n${page}`);
  if (!canLook) return;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    await tab.goto(url);
    const cells = tab.locator('tbody tr').filter({ hasText: 'shop' }).locator('td');
    await cells.last().waitFor({ timeout: 60_000 });
    const shown = (await cells.allTextContents()).join(' ');
    if (shown !== 'default shop 0/2' || complaints.length > 0)
      throw new Error(`${url} shows "${shown}"\n${complaints.join('\n')}`);
  } finally {
    await browser.close();
  }
}

/** What the Dockerfile of the project makes: `dist` and the dependencies of production, without those of development. */
async function runImage(project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const image = `${project}-image`;
  cpSync(project, image, { recursive: true });
  run('npm', ['prune', '--omit=dev', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], image);
  if (existsSync(join(image, 'node_modules/typescript'))) throw new Error('npm prune has left typescript');
  const [, command = '[]'] = /^CMD (\[.*\])$/mu.exec(readFileSync(join(image, 'Dockerfile'), 'utf8')) ?? [];
  const [program, ...args]: readonly string[] = JSON.parse(command);
  if (program !== 'node') throw new Error(`the image does not run node: ${command}`);
  await stop(await start(args, image, dirname(process.execPath), /are served/u, env));
  rmSync(image, { recursive: true });
}

/** Against our server, as the README says: the operator makes a Deployment, the dashboard shows one. */
async function runProject(template: string, project: string, bin: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'listwatch-data-'));
  const serve = [
    'node_modules/listwatch/bin/listwatch.js',
    'serve',
    '--storage',
    'memory',
    '--port',
    '0',
    '--data',
    data,
  ];
  const server = await start(serve, project, bin, /Ready at/u);
  const env = { KUBECONFIG: join(data, 'kubeconfig') };
  try {
    if (template === 'operator') {
      const own = join(data, 'operator.kubeconfig');
      const script = async (text: string, ready: RegExp): Promise<void> => {
        const command = ['--import', 'tsx', '--input-type=module', '--eval', text];
        const child = await start(command, project, bin, ready, { ...env, OPERATOR_KUBECONFIG: own });
        if (child.exitCode === null) await once(child, 'exit');
      };
      // During development: somebody who may do everything.
      await stop(await start(['dist/main.js'], project, bin, /are served/u, env));
      await runImage(project, env);
      await script(PUT_INTO_CLUSTER, /put into the cluster/u);
      // In a pod of the cluster: with its lease, its webhooks, and the rights of its manifests.
      const pod = { KUBECONFIG: own, KUBERNETES_SERVICE_HOST: '127.0.0.1' };
      const operator = await start(['dist/main.js'], project, bin, /(?:)/u, pod);
      await script(CREATE_AND_WAIT, /deployed/u);
      if (operator.exitCode !== null) throw new Error(`the operator ended with ${operator.exitCode}`);
      await stop(operator);
    } else {
      run(join(bin, 'node'), ['--input-type=module', '--eval', CREATE_DEPLOYMENT], project, bin, env);
      const built = ['--import', 'tsx', 'src/serve.ts'];
      const dashboard = await start(built, project, bin, /dashboard is at/u, { ...env, PORT: '18480' });
      await look('http://127.0.0.1:18480/');
      await stop(dashboard);
      const vite = ['node_modules/vite/bin/vite.js', '--port', '18481', '--strictPort', '--host', '127.0.0.1'];
      const development = await start(vite, project, bin, /Local:/u, env);
      await look('http://127.0.0.1:18481/');
      await stop(development);
    }
  } finally {
    await stop(server);
    rmSync(data, { recursive: true });
  }
}

run(process.execPath, ['scripts/build.mjs'], root);
installTools();
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-create-'));
const failures: string[] = [];
try {
  const packed = packPackages(join(scratch, 'tarballs'), REHEARSAL_ADDRESS);
  for (const template of TEMPLATES) {
    const project = scaffold(scratch, template, packed);
    console.log(`ok   ${template}: installed from tarballs`);
    for (const { name, bin } of nodes()) {
      const began = performance.now();
      try {
        for (const step of stepsOf(project)) run(join(bin, 'node'), [npmCli(), 'run', '-s', step], project, bin);
        await runProject(template, project, bin);
        console.log(`ok   ${template} on Node ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      } catch (error) {
        console.log(`FAIL ${template} on Node ${name}`);
        failures.push(String(error));
      }
    }
    rmSync(join(scratch, 'create'), { recursive: true });
  }
} finally {
  rmSync(scratch, { recursive: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** npm as a program of Node, so that each line runs it itself. */
function npmCli(): string {
  return process.env['npm_execpath'] ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
}
