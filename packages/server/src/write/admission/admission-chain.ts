/** The chain of admission: every plugin that is on, in the order of Kubernetes. Start here. */

import type { TypeName } from '@listwatch/schema';
import type { VerbContext } from '../../contract/verb.ts';
import type { KubeObject } from '../../kinds/resource-definition.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import type { ObjectReader } from './known-objects.ts';
import { limitRanger } from './limit-ranger.ts';
import { nodeTaint } from './node-taint.ts';
import { podPriority } from './pod-priority.ts';
import { podRuntimeClass } from './pod-runtime-class.ts';
import { storageInUseProtection } from './storage-in-use-protection.ts';

/** The objects of a kind, for plugins that read other kinds. */
export type ObjectReaders = (type: TypeName) => ObjectReader;

/**
 * The plugins in their order. NamespaceLifecycle comes before all of them: it reads the storage (`namespace-check.ts`).
 * ServiceAccount is off.
 */
export function admissionPlugins(objects: ObjectReaders): readonly AdmissionPlugin[] {
  return [
    limitRanger(objects('core/v1.LimitRange')),
    nodeTaint,
    podPriority(objects('scheduling/v1.PriorityClass')),
    defaultTolerations,
    defaultStorageClass(objects('storage/v1.StorageClass')),
    storageInUseProtection,
    podRuntimeClass(objects('node/v1.RuntimeClass')),
    defaultIngressClass(objects('networking/v1.IngressClass')),
  ];
}

/** The plugins as the verbs call them. A kind that no plugin concerns costs one look-up. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): {
  readonly [Name in 'admit' | 'review']: NonNullable<VerbContext[Name]>;
} {
  const admitting = byType(plugins.filter(({ admit }) => admit !== undefined));
  const reviewing = byType(plugins.filter(({ review }) => review !== undefined));
  return {
    admit(definition, object, old) {
      const concerned = admitting.get(definition.data.type);
      if (concerned === undefined) return object;
      const { resource, strategy } = definition;
      let admitted: KubeObject = object;
      for (const { admit } of concerned) admitted = admit?.({ resource, object: admitted, old }) ?? admitted;
      // Added fields are behind all others: the stored form has them in the order of the kind.
      return admitted === object ? object : strategy.canonical(admitted);
    },
    review({ resource, data }, object, old) {
      for (const { review } of reviewing.get(data.type) ?? NONE) review?.({ resource, object, old });
    },
  };
}

const NONE: readonly AdmissionPlugin[] = [];

function byType(plugins: readonly AdmissionPlugin[]): ReadonlyMap<string, readonly AdmissionPlugin[]> {
  const types = new Set(plugins.flatMap((plugin) => plugin.types));
  return new Map([...types].map((type) => [type, plugins.filter((plugin) => plugin.types.includes(type))]));
}
