/** A real kube-controller-manager as a child process. Start at {@link startKubeControllerManager}. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KubeApiserverProcess } from './kube-apiserver-process.ts';
import { requireRealPart } from './real-part.ts';

/** A running program. */
export interface KubeControllerManagerProcess extends AsyncDisposable {
  /** The end of what it has logged. */
  readonly log: string;
  stop(): Promise<void>;
}

const LOG_TAIL_BYTES = 1_000_000;

/**
 * Starts it with these controllers only; it does not say when they are ready. Each flag of `more` wins over the same flag
 * here.
 */
export function startKubeControllerManager(
  { kubeconfig }: Pick<KubeApiserverProcess, 'kubeconfig'>,
  controllers: readonly string[],
  more: readonly string[] = [],
): KubeControllerManagerProcess {
  const flags = [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    // No port: nobody asks it anything.
    '--secure-port=0',
    ...more,
  ];
  const child = spawn(requireRealPart('kube-controller-manager'), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Manager(child);
}

class Manager implements KubeControllerManagerProcess {
  readonly #child: ChildProcess;
  #log = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.on('data', (data: Buffer) => {
      this.#log = (this.#log + data.toString()).slice(-LOG_TAIL_BYTES);
    });
    child.once('error', (error) => {
      this.#log += String(error);
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
  }

  get log(): string {
    return this.#log;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
