/** All controllers of this package, in the order in which they start. */

import type { BuiltInController } from './built-in-controller.ts';
import { claimProtection } from './claim-protection.ts';
import type { ControllersConfig } from './controllers-options.ts';
import { garbageCollector } from './garbage/garbage-collector.ts';
import { kubernetesServiceController } from './kubernetes-service/kubernetes-service-controller.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { validatingPolicyStatus } from './policy-status/validating-policy-status.ts';
import { quotaController } from './quota/quota-controller.ts';
import { roleAggregation } from './role-aggregation.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { serviceAccountController } from './service-account-controller.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { volumeProtection } from './volume-protection.ts';

type Factory = (config: ControllersConfig) => BuiltInController | undefined;

/** Undefined: the options have nothing for it to do. */
const FACTORIES: Readonly<Record<string, Factory>> = {
  'namespace-controller': ({ namespaceGraceMs }) => namespaceController({ graceMs: namespaceGraceMs }),
  'serviceaccount-controller': () => serviceAccountController(),
  'root-ca-certificate-publisher-controller': ({ caBundle }) =>
    caBundle === undefined ? undefined : rootCaPublisher({ caBundle }),
  'garbage-collector-controller': ({ ownedKinds }) => garbageCollector({ ownedKinds }),
  'token-cleaner-controller': () => tokenCleaner(),
  'persistentvolumeclaim-protection-controller': () => claimProtection(),
  'persistentvolume-protection-controller': () => volumeProtection(),
  'resourcequota-controller': () => quotaController(),
  'clusterrole-aggregation-controller': () => roleAggregation(),
  'validatingadmissionpolicy-status-controller': () => validatingPolicyStatus(),
  'kubernetes-service-controller': ({ advertise, election }) =>
    advertise === undefined
      ? undefined
      : kubernetesServiceController({ address: advertise, isShared: election !== undefined }),
};

/** The names that `controllers` may list. */
export const CONTROLLER_NAMES: readonly string[] = Object.keys(FACTORIES);

/** Makes the controllers of these names. */
export function builtInControllers(names: readonly string[], config: ControllersConfig): readonly BuiltInController[] {
  return names.flatMap((name) => FACTORIES[name]?.(config) ?? []);
}
