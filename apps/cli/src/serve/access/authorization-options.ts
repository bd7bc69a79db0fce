/** The options of `listwatch serve` about what a user may do. */

import type { OptionSpec } from '../option-spec.ts';
import {
  type AuthorizationModeName,
  authorizationModes,
  duration,
  nonEmpty,
  oneOfWords,
  optionalPluginNames,
} from '../value-kind.ts';

/** Their values. */
export interface AuthorizationSettings {
  readonly authorizationMode: readonly AuthorizationModeName[];
  readonly authorizationConfig: string | undefined;
  readonly authorizationWebhookConfigFile: string | undefined;
  readonly authorizationWebhookVersion: 'v1' | 'v1beta1';
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
  readonly enableAdmissionPlugins: readonly 'NodeRestriction'[];
}

type AuthorizationOptionSpecs = { readonly [K in keyof AuthorizationSettings]: OptionSpec<AuthorizationSettings[K]> };

const GROUP = 'Authorization';

/** As kube-apiserver, but for the default mode. */
export const AUTHORIZATION_OPTIONS: AuthorizationOptionSpecs = {
  authorizationMode: {
    group: GROUP,
    value: 'MODES',
    help: 'who may do what, asked in this order, separated by commas: Node, RBAC, Webhook, AlwaysAllow, AlwaysDeny; system:masters may do all',
    kind: authorizationModes(),
    fallback: ['RBAC'],
    fallbackText: 'RBAC',
  },
  authorizationConfig: {
    group: GROUP,
    value: 'FILE',
    help: 'AuthorizationConfiguration: several webhooks, conditions in CEL; changes count without a restart; instead of the other flags',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  authorizationWebhookConfigFile: {
    group: GROUP,
    value: 'FILE',
    help: 'kubeconfig of the webhook of the mode Webhook, which is asked by SubjectAccessReviews',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  authorizationWebhookVersion: {
    group: GROUP,
    value: 'VERSION',
    help: 'version of these SubjectAccessReviews: v1 or v1beta1',
    kind: oneOfWords<'v1' | 'v1beta1'>('v1', 'v1beta1'),
    fallback: 'v1beta1',
  },
  authorizationWebhookCacheAuthorizedTtl: {
    group: GROUP,
    value: 'TIME',
    help: 'how long its permissions count',
    kind: duration(),
    fallback: 300_000,
    fallbackText: '5m',
  },
  authorizationWebhookCacheUnauthorizedTtl: {
    group: GROUP,
    value: 'TIME',
    help: 'how long its other answers count',
    kind: duration(),
    fallback: 30_000,
    fallbackText: '30s',
  },
  enableAdmissionPlugins: {
    group: GROUP,
    value: 'NAMES',
    help: 'admission plugins besides those that are always on: NodeRestriction lets a kubelet write only what is its own',
    kind: optionalPluginNames(),
    fallback: [],
    fallbackText: 'none',
  },
};
