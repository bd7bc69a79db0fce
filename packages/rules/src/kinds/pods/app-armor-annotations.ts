/** The old annotations with the AppArmor profile of a container. A new Pod gets the same profile in its fields. */

import { isRecord, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';

/** In front of the name of the container. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

const LOCALHOST = 'localhost/';
const PATH_MAX = 4095;

/** The profile in an annotation; undefined when a field cannot express it. */
export function profileOf(annotation: string): JsonRecord | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.slice(LOCALHOST.length);
  const isPath = localhostProfile.trim() === localhostProfile && localhostProfile.length <= PATH_MAX;
  return annotation.startsWith(LOCALHOST) && localhostProfile !== '' && isPath
    ? { type: 'Localhost', localhostProfile }
    : undefined;
}

/** Copies profiles from annotations into the containers that they name. The checks of Pods read the fields only. */
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
