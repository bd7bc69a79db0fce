/** NodeDeclaredFeatureValidator: refuses a change of a Pod that needs a feature which the kubelet of its node lacks. */

import { forbidden, quote } from '@listwatch/api';
import { listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { AdmissionPlugin, ObjectLookup } from './admission-plugin.ts';

/** The features that changes of a Pod can need, sorted. The scheduler checks the other features, for new Pods. */
const FEATURES: Readonly<Record<string, (pod: KubeObject, old: KubeObject) => boolean>> = {
  InPlacePodLevelResourcesVerticalScaling: (pod, old) =>
    !sameJson(recordOf(pod['spec'])['resources'], recordOf(old['spec'])['resources']),
  InPlacePodVerticalScalingInitContainers: resizesInitContainer,
};

/** The plugin, with the Nodes that it reads. Only `resize` changes fields that need a node feature. */
export function declaredNodeFeatures(node: ObjectLookup): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    types: ['core/v1.Pod'],
    subresources: ['resize'],
    validate({ resource, object, old, subresource }) {
      const name = textOf(recordOf(object['spec'])['nodeName']);
      if (subresource !== 'resize' || old === undefined || name === '') return;
      const needed = Object.keys(FEATURES).filter((feature) => FEATURES[feature]?.(object, old));
      if (needed.length === 0) return;
      const refusal = (why: string): Error => forbidden(resource, object.metadata.name ?? '', why);
      const found = node('', name);
      if (found === undefined) throw refusal(`node ${quote(name)} not found`);
      const declared = listOf(recordOf(found['status'])['declaredFeatures']).map(textOf);
      const lacking = needed.filter((feature) => !declared.includes(feature));
      if (lacking.length === 0) return;
      const features = lacking.join(', ');
      throw refusal(`pod update requires features ${features} which are not available on node ${quote(name)}`);
    },
  };
}

/** Does the update change the resources of an init container that is not a sidecar? */
function resizesInitContainer(pod: KubeObject, old: KubeObject): boolean {
  const now = recordsOf(recordOf(pod['spec'])['initContainers']);
  return recordsOf(recordOf(old['spec'])['initContainers']).some(
    ({ restartPolicy, resources }, index) =>
      restartPolicy !== 'Always' && !sameJson(resources, now[index]?.['resources']),
  );
}
