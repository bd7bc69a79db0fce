/** TaintNodesByCondition: taints a new Node, so that it gets no pods until a controller has seen that it is ready. */

import { extended, recordOf, recordsOf } from '@listwatch/api/values';
import type { AdmissionPlugin } from './admission-plugin.ts';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** On a creation only: the node lifecycle controller removes the taint. */
export const nodeTaint: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  types: ['core/v1.Node'],
  mutate({ object, old }) {
    if (old !== undefined) return object;
    const spec = recordOf(object['spec']);
    const taints = recordsOf(spec['taints']);
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return object;
    return extended(object, { spec: extended(spec, { taints: [...taints, NOT_READY] }) });
  },
};
