/** DefaultTolerationSeconds: pods tolerate an unreachable or not-ready node for five minutes. */

import { extended, type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { AdmissionPlugin } from './admission-plugin.ts';

const LOST = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;
const STAY_SECONDS = 300;

/** Runs on updates too: an update may add tolerations to a pod. */
export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  types: ['core/v1.Pod'],
  mutate({ object }) {
    const spec = recordOf(object['spec']);
    const tolerations = recordsOf(spec['tolerations']);
    const missing = LOST.filter((taint) => !tolerations.some((one) => tolerates(one, taint)));
    if (missing.length === 0) return object;
    const added = missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: STAY_SECONDS,
    }));
    return extended(object, { spec: extended(spec, { tolerations: [...tolerations, ...added] }) });
  },
};

/** A toleration without a key matches all taints; a toleration without an effect matches all effects. */
function tolerates({ key, effect }: JsonRecord, taint: string): boolean {
  return ['', taint].includes(textOf(key)) && ['', 'NoExecute'].includes(textOf(effect));
}
