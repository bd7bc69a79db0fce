/** Tells whoever has started the command what the page would only show as empty tables. */

import type { Upstream } from './console-upstream.ts';

const PATIENCE_MS = 10_000;

/** A sentence about what is wrong and what to do; undefined: the cluster answers. */
export async function clusterProblem(ask: Upstream): Promise<string | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const { status, body } = await ask({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(review)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await body[Symbol.asyncIterator]().return?.();
    // Old clusters do not know the question. To be known is not to be allowed: the page shows what is refused.
    if (status !== 401) return undefined;
    return 'the cluster does not accept your credentials (401). Log in again, or choose another user with --context; `kubectl auth whoami` uses the same ones.';
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `the cluster cannot be reached: ${why}. Are its address and the network (VPN) right? The page works as soon as it answers.`;
  }
}
