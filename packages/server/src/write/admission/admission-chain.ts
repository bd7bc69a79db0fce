/** The chain of admission: every plugin that is on, in the order of Kubernetes. Start here. */

import type { TypeName } from '@listwatch/schema';
import type { ConfirmWrite } from '../../contract/admitted-write.ts';
import type { Authorizer } from '../../contract/authorization.ts';
import type { VerbContext } from '../../contract/verb.ts';
import type { KubeObject } from '../../kinds/resource-definition.ts';
import { type PodSecurityParts, podSecurity } from '../pod-security/pod-security.ts';
import type { QuotaCharges } from '../quota/quota-charges.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';
import { certificateApproval, certificateSigning } from './certificate-permission.ts';
import { certificateSubject } from './certificate-subject.ts';
import { claimResize } from './claim-resize.ts';
import { declaredNodeFeatures } from './declared-node-features.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { deviceAdminAccess } from './device-admin-access.ts';
import type { ObjectLookup, ObjectReader } from './known-objects.ts';
import { limitRanger } from './limit-ranger.ts';
import { nodeTaint } from './node-taint.ts';
import { podPriority } from './pod-priority.ts';
import { podResizeCapacity } from './pod-resize-capacity.ts';
import { podRuntimeClass } from './pod-runtime-class.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { storageInUseProtection } from './storage-in-use-protection.ts';

/** What the plugins need beside the objects that they judge. */
export interface AdmissionParts {
  /** The objects of a kind: parsed once, and kept up to date. */
  readonly objects: (type: TypeName) => ObjectReader;
  /** One object of a kind of which there are too many to keep them parsed. */
  readonly lookup: (type: TypeName) => ObjectLookup;
  readonly storedNamespace: PodSecurityParts['storedNamespace'];
  readonly podsIn: PodSecurityParts['podsIn'];
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly quotas: Pick<QuotaCharges, 'charge'>;
}

/**
 * The plugins in their order. NamespaceLifecycle comes before all of them: it reads the storage (`namespace-check.ts`).
 * ServiceAccount is off. Policies and webhooks come between PodResizeValidator and ResourceQuota.
 */
export function admissionPlugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { objects, lookup, storedNamespace, podsIn, authorizer, quotas } = parts;
  return [
    limitRanger(objects('core/v1.LimitRange')),
    nodeTaint,
    podSecurity({ namespaces: objects('core/v1.Namespace'), storedNamespace, podsIn }),
    podPriority(objects('scheduling/v1.PriorityClass')),
    defaultTolerations,
    defaultStorageClass(objects('storage/v1.StorageClass')),
    storageInUseProtection,
    claimResize(objects('storage/v1.StorageClass')),
    podRuntimeClass(objects('node/v1.RuntimeClass')),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    certificateSubject,
    defaultIngressClass(objects('networking/v1.IngressClass')),
    podTopologyLabels(lookup('core/v1.Node')),
    declaredNodeFeatures(lookup('core/v1.Node')),
    podResizeCapacity(lookup('core/v1.Node')),
    deviceAdminAccess(storedNamespace),
    { name: 'ResourceQuota', types: 'all', confirm: (write, options) => quotas.charge(write, options) },
  ];
}

/** The plugins as the verbs call them. A kind that no plugin concerns costs one look-up. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): {
  readonly [Name in 'admit' | 'confirm' | 'review']: NonNullable<VerbContext[Name]>;
} {
  const confirming = byType(plugins.filter(({ confirm }) => confirm !== undefined));
  const others = plugins.filter(({ confirm, types }) => confirm !== undefined && types === 'all');
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
    confirm: (write, options) => confirmBy(confirming.get(write.definition.data.type) ?? others, write, options),
  };
}

/** One plugin after the other; a promise only when one of them waits or refuses. */
function confirmBy(plugins: readonly AdmissionPlugin[], ...args: Parameters<ConfirmWrite>): Promise<void> | undefined {
  for (const [index, { confirm }] of plugins.entries()) {
    try {
      const waiting = confirm?.(...args);
      if (waiting !== undefined) return waiting.then(() => confirmBy(plugins.slice(index + 1), ...args));
    } catch (error) {
      return Promise.reject(error);
    }
  }
  return undefined;
}

const NONE: readonly AdmissionPlugin[] = [];

function concerns(plugin: AdmissionPlugin, type: TypeName): boolean {
  return plugin.types === 'all' || plugin.types.includes(type);
}

function byType(plugins: readonly AdmissionPlugin[]): ReadonlyMap<string, readonly AdmissionPlugin[]> {
  const types = new Set(plugins.flatMap((plugin) => (plugin.types === 'all' ? [] : plugin.types)));
  return new Map([...types].map((type) => [type, plugins.filter((plugin) => concerns(plugin, type))]));
}
