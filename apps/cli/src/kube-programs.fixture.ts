/** Kubernetes' own controllers and scheduler, beside a server. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeProgram, startKubeControllerManager, startKubeScheduler } from '@listwatch/conformance/parts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The errors that they log on a kube-apiserver too. The end of a namespace adds others: controllers miss what it has lost. */
const EXPECTED_ERRORS = [
  // Its quota was deleted with the namespace while it counted.
  '"Error processing resource quota work item" err="Operation cannot be fulfilled on resourcequotas',
  // It reads its own configuration.
  'The manifest file is empty',
  // Its cache is behind its own write, or another controller has written: it tries again.
  'is not as new as written version',
  'the object has been modified',
  // No server of metrics runs.
  'metrics.k8s.io',
];
/** A ConfigMap of kube-apiserver. Our server accepts no tokens of Secrets, so it has no use of them to track. */
export const NO_TOKEN_TRACKING = 'kube-apiserver-legacy-service-account-token-tracking';
/** While no server listens. */
export const RESTART_ERRORS: readonly string[] = [
  'connection refused',
  'connection reset',
  'EOF',
  'GOAWAY',
  'connection lost',
];

/** Both programs. Each is started again when it has ended itself, as a kubelet would do it. */
export class KubePrograms implements AsyncDisposable {
  readonly #start: readonly (() => KubeProgram)[];
  readonly #running: KubeProgram[];
  #log = '';
  #restarts = 0;

  constructor(kubeconfig: string, contentType: string) {
    const common = [
      `--kube-api-content-type=${contentType}`,
      '--leader-elect=true',
      '--kube-api-qps=200',
      '--kube-api-burst=300',
    ];
    this.#start = [
      () => startKubeControllerManager({ kubeconfig }, ['*'], [...common, ...managerFlags(kubeconfig)]),
      () => startKubeScheduler({ kubeconfig }, common),
    ];
    this.#running = this.#start.map((start) => start());
  }

  /** Everything that they have logged. */
  get log(): string {
    return this.#log + this.#running.map(({ log }) => log).join('');
  }

  /** How often one of them was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Starts those again that have ended: without their lease they end themselves. */
  restartEnded(): void {
    for (const [index, program] of this.#running.entries()) {
      const start = this.#start[index];
      if (program.isRunning || start === undefined) continue;
      this.#log += program.log;
      this.#restarts += 1;
      this.#running[index] = start();
    }
  }

  /** The lines of errors that say none of these. */
  unexpectedErrors(...more: readonly string[]): readonly string[] {
    const expected = [...EXPECTED_ERRORS, ...more];
    const lines = this.log.split('\n');
    return lines.filter((line) => /^[EF]\d/u.test(line) && !expected.some((text) => line.includes(text)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#running) await program.stop();
  }
}

function managerFlags(kubeconfig: string): readonly string[] {
  const pki = join(kubeconfig, '../pki');
  const keys = [`--root-ca-file=${join(pki, 'ca.crt')}`, `--service-account-private-key-file=${join(pki, 'sa.key')}`];
  const periods = ['--horizontal-pod-autoscaler-sync-period=2s', '--resource-quota-sync-period=2s'];
  // Only our server keeps them beside its kubeconfig.
  return existsSync(pki) ? [...periods, ...keys] : periods;
}
