/** The annotations that once named the AppArmor profile of a container: a new Pod has them as fields, too. */

import { isRecord, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';

/** In front of the name of the container. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

const LOCALHOST = 'localhost/';
const PATH_MAX = 4095;

/** The profile that an annotation means; undefined when it cannot be a field. */
export function profileOf(annotation: string): JsonRecord | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.slice(LOCALHOST.length);
  const isPath = localhostProfile.trim() === localhostProfile && localhostProfile.length <= PATH_MAX;
  return annotation.startsWith(LOCALHOST) && localhostProfile !== '' && isPath
    ? { type: 'Localhost', localhostProfile }
    : undefined;
}

/** The Pod with a profile in each container that an annotation names one for. What checks Pods looks at the fields. */
export function withAppArmorFields(pod: KubeObject): KubeObject {
  const { annotations = {} } = pod.metadata;
  const spec = recordOf(pod['spec']);
  const isConcerned = Object.keys(annotations).some((name) => name.startsWith(APP_ARMOR_ANNOTATION));
  if (!isConcerned || recordOf(spec['os'])['name'] === 'windows') return pod;
  const ofPod = recordOf(spec['securityContext'])['appArmorProfile'];
  const withProfile = (container: JsonRecord): JsonRecord => {
    const context = recordOf(container['securityContext']);
    const appArmorProfile = profileOf(annotations[APP_ARMOR_ANNOTATION + textOf(container['name'])] ?? '');
    const isKept = isRecord(context['appArmorProfile']) || sameJson(appArmorProfile, ofPod);
    if (appArmorProfile === undefined || isKept) return container;
    return { ...container, securityContext: { ...context, appArmorProfile } };
  };
  const lists = CONTAINER_LISTS.filter((name) => spec[name] !== undefined).map(
    (name) => [name, recordsOf(spec[name]).map(withProfile)] as const,
  );
  return { ...pod, spec: { ...spec, ...Object.fromEntries(lists) } };
}
