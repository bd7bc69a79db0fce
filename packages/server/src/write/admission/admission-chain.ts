/** The chain of admission: every plugin that is on, in the order of Kubernetes. Start here. */

import {
  type AdmissionPlugin,
  type AdmissionRequest,
  certificateSubject,
  claimResize,
  declaredNodeFeatures,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerations,
  deviceAdminAccess,
  type KubeObject,
  limitRanger,
  nodeTaint,
  type ObjectLookup,
  type ObjectReader,
  type PodSecurityParts,
  podPriority,
  podResizeCapacity,
  podRuntimeClass,
  podSecurity,
  podTopologyLabels,
  storageInUseProtection,
} from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Authorizer } from '../../contract/authorization.ts';
import type { RoleGranting } from '../../contract/role-granting.ts';
import type { AdmissionTimes, PassType } from './admission-times.ts';
import { certificateApprovalPlugin, certificateSigning } from './certificate-permission.ts';
import { roleGranting } from './role-granting-plugin.ts';

/** The parts that the plugins need besides the objects that they check. */
export interface AdmissionParts {
  /** The objects of a kind: parsed once, and kept up to date. */
  readonly objects: (type: TypeName) => ObjectReader;
  /** Reads one object of a kind with too many objects to keep all of them parsed. */
  readonly lookup: (type: TypeName) => ObjectLookup;
  readonly storedNamespace: PodSecurityParts['storedNamespace'];
  readonly podsIn: PodSecurityParts['podsIn'];
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly granting: RoleGranting;
}

/**
 * The plugins in their order. NamespaceLifecycle comes before all of them (`lifecycle.ts`), ResourceQuota after all of them, as a
 * stage of its own. ServiceAccount is off. Policies and webhooks come last (`dynamic/dynamic-passes.ts`).
 */
export function admissionPlugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { objects, lookup, storedNamespace, podsIn, authorizer, granting } = parts;
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
    certificateApprovalPlugin(authorizer),
    certificateSigning(authorizer),
    certificateSubject,
    defaultIngressClass(objects('networking/v1.IngressClass')),
    podTopologyLabels(lookup('core/v1.Node')),
    declaredNodeFeatures(lookup('core/v1.Node')),
    podResizeCapacity(lookup('core/v1.Node')),
    deviceAdminAccess(storedNamespace),
    roleGranting(authorizer, granting),
  ];
}

/** The plugins, one after the other. */
export interface PluginChain {
  readonly mutate: (request: AdmissionRequest) => Promise<KubeObject>;
  readonly validate: (request: AdmissionRequest) => Promise<void>;
}

/** The plugins as admission calls them. A kind that no plugin concerns costs one look-up. */
export function admissionChain(plugins: readonly AdmissionPlugin[], times?: AdmissionTimes): PluginChain {
  const mutating = new PluginTable(plugins.filter(({ mutate }) => mutate !== undefined));
  const validating = new PluginTable(plugins.filter(({ validate }) => validate !== undefined));
  return {
    async mutate(request) {
      let object: KubeObject = request.object;
      for (const plugin of mutating.of(request)) {
        const seen = object === request.object ? request : { ...request, object };
        const result = timed(times, plugin, 'admit', request, () => plugin.mutate?.(seen));
        // Most plugins need no turn.
        object = (result instanceof Promise ? await result : result) ?? object;
      }
      return object;
    },
    async validate(request) {
      for (const plugin of validating.of(request)) {
        const result = timed(times, plugin, 'validate', request, () => plugin.validate?.(request));
        if (result instanceof Promise) await result;
      }
    },
  };
}

function timed<T>(
  times: AdmissionTimes | undefined,
  { name }: AdmissionPlugin,
  type: PassType,
  { operation }: AdmissionRequest,
  run: () => Promise<T> | T,
): Promise<T> | T {
  return times === undefined ? run() : times.plugin(name, type, operation, run);
}

const NONE: readonly string[] = [];

/** The plugins by the type of the objects that they see. */
class PluginTable {
  readonly #byType: ReadonlyMap<TypeName, readonly AdmissionPlugin[]>;
  readonly #others: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    const types = new Set(plugins.flatMap(({ types: own }) => (own === 'all' ? [] : own)));
    const concerning = (type: TypeName): readonly AdmissionPlugin[] =>
      plugins.filter(({ types: own }) => own === 'all' || own.includes(type));
    this.#byType = new Map([...types].map((type) => [type, concerning(type)]));
    this.#others = plugins.filter(({ types: own }) => own === 'all');
  }

  of({ type, subresource }: AdmissionRequest): readonly AdmissionPlugin[] {
    const found = this.#byType.get(type) ?? this.#others;
    if (subresource === '' || found.length === 0) return found;
    return found.filter(({ subresources = NONE }) => subresources === 'all' || subresources.includes(subresource));
  }
}
