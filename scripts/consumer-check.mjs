// Compiles and bundles small programs against packed packages, as a browser project and a Node project would.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const USED = new Set([
  '@listwatch/api',
  '@listwatch/cel',
  '@listwatch/client',
  '@listwatch/kinds',
  '@listwatch/rules',
  '@listwatch/runtime',
  '@listwatch/schema',
]);

/** A page: Node's own functions are no part of the types that it sees. */
const BROWSER = `
import { connect } from '@listwatch/client';
import { informer, sharedInformers } from '@listwatch/runtime';
import { pods } from '@listwatch/kinds';
import { validate } from '@listwatch/rules';
// @ts-expect-error -- there is no kubeconfig in a browser
import { loadKubeconfig } from '@listwatch/client';
// @ts-expect-error -- nor are there files
import { fileCheckpoint } from '@listwatch/runtime';
// @ts-expect-error -- and so there is nothing to connect to by default
void connect();
const cluster = await connect({ server: 'https://example.org', watchOver: 'websocket' });
console.log(informer(cluster, pods).store.list()[0]?.spec.containers[0]?.image, sharedInformers(cluster).size);
const { object, errors } = await validate(pods, { metadata: { name: 'a' } });
console.log(object?.spec.containers[0]?.image, errors[0]?.path);
`;

const NODE = `
import { connect, loadKubeconfig } from '@listwatch/client';
import { fileCheckpoint, informer } from '@listwatch/runtime';
import { resource } from '@listwatch/api';
const cluster = await connect({ context: 'staging' });
const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
console.log(informer(cluster, pods, { checkpoint: fileCheckpoint('/tmp/pods') }).store.size, loadKubeconfig);
`;

const PAGE = `
import { connect } from '@listwatch/client';
import { pods } from '@listwatch/kinds';
import { sharedInformers } from '@listwatch/runtime';
const { validate } = await import('@listwatch/rules');
const { errors } = await validate(pods, {});
document.title = String(sharedInformers(await connect({ server: location.origin })).size + errors.length);
`;

/** TypeScript 7, and the older line that attw brings along. */
function compilers() {
  const older = require.resolve('typescript/package.json', {
    paths: [join(root, 'node_modules/@arethetypeswrong/core')],
  });
  return [
    { name: 'typescript 7', command: [join(root, 'node_modules/.bin/tsc')] },
    {
      name: `typescript ${JSON.parse(readFileSync(older, 'utf8')).version}`,
      command: [process.execPath, join(dirname(older), 'lib/tsc.js')],
    },
  ];
}

/** Unpacks tarballs into `node_modules` of `folder`; what they depend on comes from this repository. */
function install(folder, tarballs) {
  const scope = join(folder, 'node_modules/@listwatch');
  mkdirSync(scope, { recursive: true });
  for (const { name, tarball } of tarballs.filter((packed) => USED.has(packed.name))) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    const { status } = spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${tarball} cannot be unpacked`);
  }
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry.startsWith('.') || entry === '@listwatch' || entry === 'listwatch') continue;
    symlinkSync(join(root, 'node_modules', entry), join(folder, 'node_modules', entry));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module', private: true }));
}

function compile({ command: [program, ...before] }, folder, { file, module, resolution, lib, types, conditions }) {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2023',
    module,
    moduleResolution: resolution,
    lib,
    types,
    customConditions: conditions,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const { status, stdout, stderr } = spawnSync(program, [...before, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}

/** Whether the bundle of a page has anything of Node in it. */
async function bundleWithVite(folder) {
  const { build } = await import('vite');
  writeFileSync(join(folder, 'page.js'), PAGE);
  const input = join(folder, 'page.js');
  const { output } = await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: { write: false, minify: false, target: 'es2023', rollupOptions: { input } },
  });
  const code = output.map((chunk) => chunk.code ?? '').join('\n');
  if (/__vite-browser-external|["']node:/u.test(code)) return 'the page needs modules of Node';
  return code.includes('createFetchTransport') ? undefined : 'the page has no transport';
}

const ES = ['es2023', 'esnext.disposable'];
const DOM = [...ES, 'dom', 'dom.asynciterable'];
const PROJECTS = [
  {
    title: 'a page, bundler',
    file: 'browser.ts',
    text: BROWSER,
    module: 'esnext',
    resolution: 'bundler',
    lib: DOM,
    types: [],
  },
  {
    title: 'a Node program, nodenext',
    file: 'node.ts',
    text: NODE,
    module: 'nodenext',
    resolution: 'nodenext',
    lib: ES,
    types: ['node'],
  },
  {
    title: 'a Node program, bundler with the condition node',
    file: 'node.ts',
    text: NODE,
    module: 'esnext',
    resolution: 'bundler',
    lib: ES,
    types: ['node'],
    conditions: ['node'],
  },
];

/** Checks packed packages; gives what failed, and `report`s every step. */
export async function checkConsumers(folder, tarballs, report) {
  install(folder, tarballs);
  const failures = [];
  const note = (title, problem) => {
    report(`${problem === undefined ? 'ok  ' : 'FAIL'} ${title}`);
    if (problem !== undefined) failures.push(`${title}\n${problem}`);
  };
  for (const { file, text } of PROJECTS) writeFileSync(join(folder, file), text);
  for (const compiler of compilers()) {
    for (const project of PROJECTS) {
      note(`${compiler.name}: ${project.title}`, compile(compiler, folder, project));
    }
  }
  note('vite: a page', await bundleWithVite(folder));
  return failures;
}
