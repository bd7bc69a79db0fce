import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface NpmRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs npm without stopping this process, which may be the registry that it asks. */
export async function runNpm(args: readonly string[], cwd: string = process.cwd()): Promise<NpmRun> {
  const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { status: Number(status), stdout, stderr };
}
