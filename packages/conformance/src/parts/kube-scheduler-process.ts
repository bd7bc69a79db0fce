/** A real kube-scheduler. Start at {@link startKubeScheduler}. */

import type { KubeApiserverProcess } from './kube-apiserver-process.ts';
import { KubeProgram } from './kube-program.ts';

/** Starts it; it does not say when it is ready. Each flag of `more` wins over the same flag here. */
export function startKubeScheduler(
  { kubeconfig }: Pick<KubeApiserverProcess, 'kubeconfig'>,
  more: readonly string[] = [],
): KubeProgram {
  return new KubeProgram('kube-scheduler', [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    // No port: nobody asks it anything.
    '--secure-port=0',
    ...more,
  ]);
}
