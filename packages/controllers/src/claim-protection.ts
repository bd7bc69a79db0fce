/** Lets deleted claims go that no pod uses: the server creates every claim with a finalizer. */

import type { BuiltInController } from './built-in-controller.ts';
import { claims, type Pod, pods } from './core-resources.ts';
import { withoutFinalizer } from './finalizer-removal.ts';
import { runController } from './run-controller.ts';

const NAME = 'persistentvolumeclaim-protection-controller';
const FINALIZER = 'kubernetes.io/pvc-protection';

/** Looks at a deleted claim again whenever a pod that uses it is deleted. */
export function claimProtection(): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    run: (surroundings) =>
      runController(surroundings, {
        name: NAME,
        for: claims,
        watches: [
          {
            resource: pods,
            predicate: ({ type }) => type === 'delete',
            map: (pod: Pod) => claimNames(pod).map((name) => ({ namespace: pod.metadata.namespace ?? '', name })),
          },
        ],
        reconcile: async ({ object }) => {
          if (object?.metadata.deletionTimestamp === undefined) return;
          const { namespace = '', name } = object.metadata;
          const { cluster, signal } = surroundings;
          // The cache may lag: a pod that it does not have yet may use the claim.
          const { items } = await cluster.list(pods, { namespace, signal });
          if (items.some((pod) => isScheduled(pod) && claimNames(pod).includes(name))) return;
          await withoutFinalizer(surroundings, claims, object, FINALIZER);
        },
      }),
  };
}

/** No kubelet starts a pod whose claim is being deleted, so only pods with a node use one. */
function isScheduled({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral === undefined ? [] : [`${metadata.name}-${volume.name}`];
  });
}
