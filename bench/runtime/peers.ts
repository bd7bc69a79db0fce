/** Builds the peers that are written in other languages, when their tools are here. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('peers/', import.meta.url));
const built = join(tmpdir(), 'listwatch-peers');

/** The program with client-go, or undefined without Go. */
export function buildClientGo(): string | undefined {
  return buildGo(join(here, 'client-go'), 'client-go');
}

/** The program with kube-rs, or undefined without Rust. */
export function buildKubeRs(): string | undefined {
  return buildCargo(join(here, 'kube-rs'), 'kube-rs', 'listwatch-bench-kube-rs');
}

/** Builds a Go module of ours as `name`. */
export function buildGo(folder: string, name: string): string | undefined {
  if (!has('go', ['version'])) return undefined;
  mkdirSync(built, { recursive: true });
  const program = join(built, name);
  build('go', ['build', '-o', program, '.'], folder);
  return program;
}

/** Builds a crate of ours in a folder `name`. */
export function buildCargo(folder: string, name: string, program: string): string | undefined {
  if (!has('cargo', ['--version'])) return undefined;
  const target = join(built, name);
  build('cargo', ['build', '--release', '--locked', '--target-dir', target], folder);
  return join(target, 'release', program);
}

function has(tool: string, args: readonly string[]): boolean {
  try {
    execFileSync(tool, [...args], { stdio: 'ignore' });
    return true;
  } catch {
    console.error(`${tool} is not here: its client is left out`);
    return false;
  }
}

function build(tool: string, args: readonly string[], cwd: string): void {
  console.error(`building ${basename(cwd)} (minutes, the first time) ...`);
  execFileSync(tool, [...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
