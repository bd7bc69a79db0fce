/** A real kube-controller-manager. Start at {@link startKubeControllerManager}. */

import type { KubeApiserverProcess } from './kube-apiserver-process.ts';
import { KubeProgram } from './kube-program.ts';

/**
 * Starts it with these controllers only; it does not say when they are ready. Each flag of `more` wins over the same flag
 * here.
 */
export function startKubeControllerManager(
  { kubeconfig }: Pick<KubeApiserverProcess, 'kubeconfig'>,
  controllers: readonly string[],
  more: readonly string[] = [],
): KubeProgram {
  return new KubeProgram('kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    // No port: nobody asks it anything.
    '--secure-port=0',
    ...more,
  ]);
}
