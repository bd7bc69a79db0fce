/** Builds the peers that are written in other languages, when their tools are here. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('peers/', import.meta.url));
const built = join(tmpdir(), 'listwatch-peers');

/** The program with client-go, or undefined without Go. */
export function buildClientGo(): string | undefined {
  if (!has('go', ['version'])) return undefined;
  mkdirSync(built, { recursive: true });
  const program = join(built, 'client-go');
  build('go', ['build', '-o', program, '.'], join(here, 'client-go'));
  return program;
}

/** The program with kube-rs, or undefined without Rust. */
export function buildKubeRs(): string | undefined {
  if (!has('cargo', ['--version'])) return undefined;
  const target = join(built, 'kube-rs');
  build('cargo', ['build', '--release', '--locked', '--target-dir', target], join(here, 'kube-rs'));
  return join(target, 'release', 'listwatch-bench-kube-rs');
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
  console.error(`building in ${cwd.slice(here.length)} (minutes, the first time) ...`);
  execFileSync(tool, [...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
