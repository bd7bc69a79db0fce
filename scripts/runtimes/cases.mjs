// The rows of the table in docs/reference/runtimes.md: one function for each.

import { execFileSync, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf, firstBlock } from './packed-project.mjs';
import { KIT, PAGE_TYPES, STREAMS, TEST, TYPES } from './programs.mjs';
import { TOOLS, toolFile } from './tools.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLERS = 'guide/bundlers.md';
const LIMIT_MS = 120_000;

/** Runs a program of the project; throws with what it said. */
function run(project, command, args, env = {}) {
  const options = { cwd: project.folder, env: { ...process.env, ...env }, timeout: LIMIT_MS, stdio: 'pipe' };
  try {
    return execFileSync(command, args, { ...options, encoding: 'utf8' });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/** Runs the operator of the guide until it has filled its caches, interrupts it, and wants a clean end. */
async function operate(project, command, args) {
  const env = { ...process.env, KUBECONFIG: project.kubeconfig };
  const program = spawn(command, args, { cwd: project.folder, env });
  const limit = setTimeout(() => program.kill('SIGKILL'), LIMIT_MS);
  let output = '';
  let isAsked = false;
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (more) => {
      output += more;
      if (isAsked || !output.includes('the caches are complete')) return;
      isAsked = true;
      program.kill('SIGINT');
    });
  }
  const code = await new Promise((resolve) => program.on('exit', resolve));
  clearTimeout(limit);
  const isWhole = output.includes('websites are served') && output.includes('the manager has stopped');
  if (code !== 0 || !isWhole) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${output}`);
}

/** What a program says that this process serves. */
async function answered(project, command, args) {
  const program = spawn(command, args, { cwd: project.folder, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (more) => (output += more));
  const [code] = await once(program, 'close');
  return `${output}ended with ${code}`;
}

async function tryStreams(project, command, args) {
  // Not before: the names of the cases are read without a build.
  const { startStreamsPeer } = await import('./streams-peer.mjs');
  const peer = await startStreamsPeer();
  try {
    writeFileSync(join(project.folder, 'streams.mjs'), STREAMS);
    writeFileSync(join(project.folder, 'streams-kubeconfig'), peer.kubeconfig);
    const said = await answered(project, command, [...args, 'streams.mjs']);
    const wanted = 'code 0 bytes 1000001 refused NotFound port hello\nended with 0';
    if (!said.includes(wanted)) throw new Error(`${command} said ${said}`);
  } finally {
    peer.close();
  }
}

async function onRuntime(project, command, args = []) {
  writeFileSync(join(project.folder, 'kit.mjs'), KIT);
  const said = run(project, command, [...args, 'kit.mjs']);
  if (!said.includes('listed 1 cached 2')) throw new Error(`${command} said ${said}`);
  await tryStreams(project, command, args);
  // Bun and Deno read TypeScript; Node gets what esbuild made of it.
  await operate(project, command, [...args, command.includes('node') ? bundled(project) : 'main.ts']);
}

/** A command of the guide, with the program of this repository in the place of npx. */
function guideCommand(project, start) {
  const line = commandOf(BUNDLERS, start).replace(/^npx (\S+)/u, (_, name) => join(root, 'node_modules/.bin', name));
  execSync(line, { cwd: project.folder, stdio: 'pipe', timeout: LIMIT_MS });
}

function bundled(project) {
  guideCommand(project, 'npx esbuild main.ts --bundle --platform=node --target=node20 --format=esm');
  return 'dist/main.mjs';
}

function jest(project, files, env) {
  const folder = join(project.folder, files.folder);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files.texts)) writeFileSync(join(folder, name), text);
  for (const name of files.copied) cpSync(join(project.folder, name), join(folder, name));
  run(
    project,
    process.execPath,
    [toolFile('jest/bin/jest.js'), '--rootDir', folder, '-c', join(folder, 'jest.config.cjs')],
    env,
  );
}

const LIB = ['es2023', 'esnext.disposable'];
const ON_NODE = { lib: LIB, types: ['node'], allowImportingTsExtensions: true };
const NODE_FILES = ['types.ts', 'main.ts'];

/** The rows of the guide's table of `tsconfig.json`. */
const PROJECTS = [
  { files: NODE_FILES, options: { ...ON_NODE, module: 'nodenext' } },
  {
    files: NODE_FILES,
    options: { ...ON_NODE, module: 'esnext', moduleResolution: 'bundler', customConditions: ['node'] },
  },
  {
    files: ['page-types.ts', 'page.ts'],
    options: { module: 'esnext', moduleResolution: 'bundler', lib: [...LIB, 'dom', 'dom.asynciterable'], types: [] },
  },
];

function compile(project, command, args) {
  writeFileSync(join(project.folder, 'types.ts'), TYPES);
  writeFileSync(join(project.folder, 'page-types.ts'), PAGE_TYPES);
  writeFileSync(join(project.folder, 'page.ts'), firstBlock('guide/browsers.md'));
  for (const { files, options } of PROJECTS) {
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', ...options };
    writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    run(project, command, [...args, '-p', '.']);
  }
}

const typescripts = Object.keys(TOOLS).filter((name) => name.startsWith('typescript-'));

/** Each has the name of its row, and throws when the row is not true. */
export const CASES = [
  ...['22', '24'].map((version) => ({
    name: `Node ${version}`,
    check: (project) => onRuntime(project, toolFile(`node-${version}/bin/node`)),
  })),
  { name: 'Bun', check: (project) => onRuntime(project, toolFile('.bin/bun')) },
  {
    name: 'Bun, its test runner',
    check: (project) => {
      writeFileSync(join(project.folder, 'bun.test.ts'), `import { expect, test } from 'bun:test';${TEST}`);
      run(project, toolFile('.bin/bun'), ['test', './bun.test.ts']);
    },
  },
  {
    name: 'Deno',
    check: (project) => onRuntime(project, toolFile('.bin/deno'), ['run', '-A', '--node-modules-dir=manual']),
  },
  {
    name: 'Jest with ES modules',
    check: (project) => {
      const texts = {
        'kit.test.mjs': TEST,
        'jest.config.cjs': "module.exports = { testMatch: ['**/*.test.mjs'], transform: {} };",
      };
      jest(project, { folder: 'jest-esm', texts, copied: [] }, { NODE_OPTIONS: '--experimental-vm-modules' });
    },
  },
  {
    name: 'Jest without ES modules',
    check: (project) => {
      const texts = { 'kit.test.ts': TEST, 'package.json': '{}' };
      jest(project, { folder: 'jest-cjs', texts, copied: ['jest.config.cjs', 'jest-esbuild.cjs'] });
    },
  },
  { name: 'esbuild, an ES module', check: (project) => operate(project, process.execPath, [bundled(project)]) },
  {
    name: 'esbuild, CommonJS',
    check: async (project) => {
      // What the guide asks for: nothing is awaited outside of a function.
      const [imports, body] = splitImports(project.main);
      writeFileSync(join(project.folder, 'late.ts'), `${imports}\nasync function main() {\n${body}\n}\nvoid main();\n`);
      const line = commandOf(BUNDLERS, 'npx esbuild main.ts --bundle --platform=node --target=node20 --format=cjs');
      const args = line
        .split(' ')
        .slice(2)
        .map((word) => (word === 'main.ts' ? 'late.ts' : word));
      run(project, join(root, 'node_modules/.bin/esbuild'), args);
      await operate(project, process.execPath, ['dist/main.cjs']);
    },
  },
  {
    name: 'esbuild, a page',
    check: (project) => {
      writeFileSync(join(project.folder, 'page.ts'), firstBlock('guide/browsers.md'));
      guideCommand(project, 'npx esbuild page.ts');
    },
  },
  {
    name: 'Vite, a page',
    check: (project) => {
      writeFileSync(join(project.folder, 'page.ts'), firstBlock('guide/browsers.md'));
      writeFileSync(join(project.folder, 'index.html'), '<script type="module" src="page.ts"></script>');
      guideCommand(project, 'npx vite build');
    },
  },
  {
    name: 'Vite, a program on Node',
    check: async (project) => {
      guideCommand(project, 'npx vite build --ssr main.ts');
      await operate(project, process.execPath, ['dist/main.js']);
    },
  },
  ...typescripts.map((name) => ({
    name: `TypeScript ${name.replace('typescript-', '')}`,
    check: (project) => compile(project, process.execPath, [toolFile(`${name}/lib/tsc.js`)]),
  })),
  { name: 'TypeScript 7.0', check: (project) => compile(project, join(root, 'node_modules/.bin/tsc'), []) },
];

const isImport = (line) => line.startsWith('import ');

function splitImports(program) {
  const lines = program.split('\n');
  return [lines.filter(isImport).join('\n'), lines.filter((line) => !isImport(line)).join('\n')];
}
