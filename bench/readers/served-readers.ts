/** `listwatch serve --readers N` as it was built last, with its processes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Target } from '../server/target.ts';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));
const TOKEN = 'bench-token';

export interface ServedReaders extends AsyncDisposable {
  /** Its `pid` is that of the primary, or of the only process. */
  readonly target: Target;
  readonly readers: readonly number[];
}

export interface ServedReadersOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly readers: number;
  /** Write CPU profiles of all processes there when they end. */
  readonly profiles?: string | undefined;
}

/** Resolves when it serves. */
export async function serveWithReaders(options: ServedReadersOptions): Promise<ServedReaders> {
  const { folder, readers, profiles } = options;
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},bench,1,"system:masters"\n`, { mode: 0o600 });
  const flags = ['serve', '--readers', String(readers), '--port', '0', '--data', join(folder, 'data')];
  const rest = ['--token-auth-file', tokens, '--console', 'off', '--controllers', '-*', '--log-format', 'json'];
  const profile = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const child = spawn(process.execPath, [...profile, BIN, ...flags, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  const url = await readyUrl(child.stdout);
  if (url === undefined) throw new Error('the server ended before it was ready');
  return {
    target: { name: `${readers} readers`, url, token: TOKEN, pid },
    readers: childrenOf(pid),
    [Symbol.asyncDispose]: stop,
  };
}

async function readyUrl(stdout: NodeJS.ReadableStream): Promise<string | undefined> {
  const lines = createInterface({ input: stdout });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('Ready at')) resolve(JSON.parse(line).url);
    });
    lines.once('close', () => resolve(undefined));
  });
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
