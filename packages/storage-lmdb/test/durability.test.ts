import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@listwatch/conformance/parts';
import { expect, it } from 'vitest';

const writer = fileURLToPath(new URL('crash-writer.ts', import.meta.url));

const options = { ...needs('strace'), timeout: 60_000 };

it('no commit is acknowledged before its transaction has been written and synced to disk', options, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-sync-'));
  const trace = join(folder, 'trace');
  try {
    const node = [
      process.execPath,
      '--conditions=@listwatch/source',
      '--import',
      'tsx',
      writer,
      join(folder, 'store'),
      '1',
      '0',
    ];
    const strace = ['-f', '-o', trace, '-e', 'trace=openat,pwrite64,pwritev,write,fdatasync', '-s', '32', '-y'];
    const child = spawn('strace', [...strace, ...node], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      lines += chunk.toString().split('\n').length - 1;
      if (lines > 200 && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    await once(child, 'close');
    checkOrder(readFileSync(trace, 'utf8').split('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** How far the transaction under way has come, as the system calls tell it. */
type Progress = 'pages written' | 'pages synced' | 'durable';

/**
 * LMDB writes the pages, syncs them, and then writes the root through a descriptor that syncs by itself (O_DSYNC). An
 * acknowledgement may go to the pipe only after all three, and before the pages of the next transaction.
 */
function checkOrder(calls: readonly string[]): void {
  const opened = calls.flatMap((call) => /O_DSYNC.*\) = (\d+)/.exec(call)?.[1] ?? []);
  const root = new RegExp(`pwrite64\\((${opened.join('|')})<`);
  let progress: Progress | undefined;
  let acknowledgements = 0;
  let transactions = 0;
  for (const call of calls) {
    const finished = / = \d+$/.test(call);
    if (root.test(call)) {
      expect(progress).toBe('pages synced');
      progress = 'durable';
      transactions += 1;
    } else if (/pwrite(64|v)\(\d+<[^>]*data\.mdb>/.test(call)) {
      progress = 'pages written';
    } else if (/fdatasync/.test(call) && finished) {
      progress = 'pages synced';
    } else if (/write\(1<.*"\d+ (put|delete) /.test(call)) {
      acknowledgements += 1;
      expect(progress).toBe('durable');
    }
  }
  expect(acknowledgements).toBeGreaterThan(100);
  // Group commit: far fewer syncs than commits, with 16 writers at work.
  expect(transactions).toBeLessThan(acknowledgements / 4);
}
