import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Asks the worker for one run. */
export interface FaultRequest {
  /** What the first of `files` is instead. Without it, the functions of `files` are counted. */
  readonly source: string | undefined;
  /** The files that differ from what is on the disk. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

export interface TestRun {
  readonly tests: readonly {
    readonly file: string;
    readonly state: string;
    readonly seconds: number;
    /** The first test that failed. */
    readonly failed: string | undefined;
  }[];
  /** Errors outside of the tests. */
  readonly errors: readonly string[];
}

/** A worker that is started when it is needed, and again after it had to be killed. */
export class FaultRuns {
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#args = args;
    this.#env = { ...process.env, ...env };
  }

  /** The outcome of a run, or undefined when it took too long or the worker died. */
  async run(request: FaultRequest, limitMs: number): Promise<TestRun | undefined> {
    const child = this.#child ?? (await this.#start());
    child.send(request);
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(), limitMs);
    try {
      const answer: TestRun | undefined = await Promise.race([
        once(child, 'message', { signal: wait.signal }).then(([first]: TestRun[]) => first),
        once(child, 'exit', { signal: wait.signal }).then(() => undefined),
      ]);
      if (answer === undefined) this.close();
      return answer;
    } catch {
      this.close();
      return undefined;
    } finally {
      clearTimeout(timer);
      wait.abort();
    }
  }

  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      // With the processes that run the tests, which a loop may keep busy.
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(new URL('fault-worker.ts', import.meta.url)), this.#args, {
      execArgv: ['--import', 'tsx'],
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (more: Buffer) => (said = (said + more.toString()).slice(-4_000)));
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
    if (first === undefined) throw new Error(`the worker does not start:\n${said}`);
    this.#child = child;
    return child;
  }
}
