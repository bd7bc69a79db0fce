/** Builds the programs of clients with the tools of their languages. Output is under `node_modules/.cache` or ignored by git. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRealPart } from '@listwatch/conformance/parts';
import type { ProgramCommand } from './client-program.ts';

const interop = fileURLToPath(new URL('..', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/listwatch-interop', import.meta.url));

/** A tool that is not on this machine. */
export class MissingTool extends Error {}

/** The folder of a client. */
export function folderOf(name: string): string {
  return join(interop, name);
}

function requireTool(tool: string, ...args: readonly string[]): void {
  try {
    execFileSync(tool, args, { stdio: 'ignore' });
  } catch {
    throw new MissingTool(`${tool} is not on this machine`);
  }
}

/** As nice as possible: builds take minutes, and other work goes on. */
function run(cwd: string, tool: string, ...args: readonly string[]): void {
  mkdirSync(cache, { recursive: true });
  execFileSync('nice', ['-n', '10', tool, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** kubectl as it is on the PATH. */
export function kubectlOnPath(): ProgramCommand {
  if (findRealPart('kubectl') === undefined) throw new MissingTool('kubectl is not on the PATH');
  return kubectlScript('kubectl');
}

/** kubectl from Debian's package, which is not installed but unpacked. */
export function kubectlOfDebian(): ProgramCommand {
  requireTool('apt-get', '--version');
  const folder = join(cache, 'kubernetes-client');
  const program = join(folder, 'usr/bin/kubectl');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    run(folder, 'apt-get', 'download', 'kubernetes-client');
    const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (file === undefined) throw new MissingTool('apt-get has no package kubernetes-client');
    run(folder, 'dpkg', '-x', file, '.');
  }
  return kubectlScript(program);
}

/** The newest kubectl, built from its module. */
export function kubectlOfModule(): ProgramCommand {
  const version = /k8s\.io\/kubectl v0\.(\S+)/u.exec(readFileSync(join(folderOf('kubectl'), 'go.mod'), 'utf8'))?.[1];
  if (version === undefined) throw new Error('interop/kubectl/go.mod has no version of k8s.io/kubectl');
  // As a release is linked. Without them kubectl says that it is v0.0.0: the first in `kubectl version`, the second in its user agent.
  const flags = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((place) => [
    `-X ${place}.gitVersion=v1.${version}`,
    `-X ${place}.gitMajor=1`,
    `-X ${place}.gitMinor=${version.split('.')[0]}`,
    // A module does not know the commit of its release.
    `-X ${place}.gitCommit=`,
  ]);
  return kubectlScript(buildGo('kubectl', {}, '-ldflags', flags.join(' ')).command);
}

function kubectlScript(kubectl: string): ProgramCommand {
  return { command: join(interop, 'kubectl/scenario.sh'), args: [], env: { KUBECTL: kubectl } };
}

/** A Go program of ours. */
export function buildGo(
  name: string,
  env: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
): ProgramCommand {
  requireTool('go', 'version');
  const program = join(cache, name);
  run(folderOf(name), 'go', 'build', '-buildvcs=false', ...flags, '-o', program, '.');
  return { command: program, args: [], env };
}

/** A Rust program of ours. */
export function buildCargo(name: string, binary: string): ProgramCommand {
  requireTool('cargo', '--version');
  const target = join(cache, name);
  run(folderOf(name), 'cargo', 'build', '--locked', '--target-dir', target);
  return { command: join(target, 'debug', binary), args: [] };
}

/** A program for Node with packages of its own; on Node 22 from the npm package `node` if it is asked for. */
export function installNpm(name: string, args: readonly string[], node: 'own' | '22' = 'own'): ProgramCommand {
  const folder = folderOf(name);
  if (isOlder(join(folder, 'node_modules/.package-lock.json'), join(folder, 'package-lock.json'))) {
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
  }
  const program = node === 'own' ? process.execPath : join(folder, 'node_modules/node/bin/node');
  if (!existsSync(program)) throw new MissingTool('the npm package `node` has no program for this machine');
  return { command: program, args: args.map((arg) => (arg.endsWith('.mjs') ? join(folder, arg) : arg)) };
}

/** A Python program of ours, with its packages in a virtual environment. */
export function installPython(script: string): ProgramCommand {
  requireTool('python3', '-m', 'venv', '--help');
  const folder = folderOf('python');
  const venv = join(cache, 'python');
  const stamp = join(venv, 'installed');
  if (isOlder(stamp, join(folder, 'requirements.txt'))) {
    run(folder, 'python3', '-m', 'venv', venv);
    run(folder, join(venv, 'bin/pip'), 'install', '--quiet', '--requirement', 'requirements.txt');
    run(folder, 'touch', stamp);
  }
  return { command: join(venv, 'bin/python'), args: [join(folder, script)] };
}

/** A class of our Java program. */
export function buildJava(main: string): ProgramCommand {
  requireTool('mvn', '--version');
  const folder = folderOf('java');
  run(folder, 'mvn', '--batch-mode', '--quiet', 'package');
  const path = [join(folder, 'target/classes'), join(folder, 'target/dependency/*')].join(':');
  return { command: 'java', args: ['-cp', path, main] };
}

function isOlder(product: string, source: string): boolean {
  return !existsSync(product) || statSync(product).mtimeMs < statSync(source).mtimeMs;
}
