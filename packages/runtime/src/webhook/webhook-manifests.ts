/** The objects that make a cluster call webhooks. */

import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import {
  clientConfigOf,
  type ResolvedInstallation,
  resolveInstallation,
  type WebhookInstallation,
} from './installation.ts';
import type { AdmissionHook } from './review/admission-hook.ts';
import { CONVERT_PATH, type RegisteredHooks } from './webhook-calls.ts';
import { rightsManifests } from './webhook-rights.ts';
import { type Webhooks, webhookSetOf } from './webhook-set.ts';

/** Options of {@link webhookManifests}. */
export interface WebhookManifestsOptions extends WebhookInstallation {
  /** The labels of the program's pods. With them a Service is written, too. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  /** Where the program listens in its pod. Default: 9443. */
  readonly targetPort?: number | string | undefined;
  /** Definitions, such as those of `mergeVersions`: those of kinds that `convert` is for are written with their conversion. */
  readonly crds?: readonly CrdWithVersions[] | undefined;
  /**
   * PEM of the authority. Default: none, because the program puts it in place (`serveWebhooks`), or cert-manager does.
   */
  readonly caBundle?: string | undefined;
  /** `namespace/name` of a Certificate of cert-manager, whose authority it puts into the objects. */
  readonly certManager?: string | undefined;
  /** The program's ServiceAccount. With it the rights for the certificate are written, too. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string } | undefined;
}

/** A CustomResourceDefinition, as `defineKind` and `mergeVersions` make them. */
export interface CrdWithVersions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/** An object to be applied. */
export interface WebhookManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const NAMES: OptionNames<WebhookManifestsOptions> = {
  name: true,
  service: true,
  url: true,
  selector: true,
  targetPort: true,
  crds: true,
  caBundle: true,
  certManager: true,
  serviceAccount: true,
};

/**
 * Writes the configurations of the webhooks, the Service in front of them, the conversion of CRDs, and the rights that the program
 * needs for its certificate.
 *
 * @example
 * await applyYaml(cluster, webhookManifests(hooks, { name: 'backup', service: { namespace: 'backup', name: 'webhooks' } }));
 *
 * @throws TypeError for an option that is wrong
 */
export function webhookManifests(hooks: Webhooks, options: WebhookManifestsOptions): readonly WebhookManifest[] {
  checkOptionNames('webhookManifests', options, NAMES);
  const { registered } = webhookSetOf(hooks);
  const at = resolveInstallation(options);
  const trust: Trust = { caBundle: options.caBundle && btoa(options.caBundle), certManager: options.certManager };
  return [
    ...configurationOf('mutate', registered, at, trust),
    ...configurationOf('validate', registered, at, trust),
    ...conversionsOf(registered, at, trust, options.crds ?? []),
    ...serviceOf(at, options),
    ...(options.serviceAccount === undefined ? [] : rightsManifests(registered, at, options.serviceAccount)),
  ];
}

interface Trust {
  readonly caBundle: string | undefined;
  readonly certManager: string | undefined;
}

function annotated(name: string, { certManager }: Trust): WebhookManifest['metadata'] {
  if (certManager === undefined) return { name };
  return { name, annotations: { 'cert-manager.io/inject-ca-from': certManager } };
}

function configurationOf(
  type: AdmissionHook['type'],
  { admission }: RegisteredHooks,
  at: ResolvedInstallation,
  trust: Trust,
): readonly WebhookManifest[] {
  const own = [...admission.values()].filter((hook) => hook.type === type);
  if (own.length === 0) return [];
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: type === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: annotated(at.name, trust),
      webhooks: own.map((hook) => entryOf(hook, at, trust)),
    },
  ];
}

/** Every default of Kubernetes is written: what is applied again is then the same as what is stored. */
function entryOf(
  { type, name, path, config, resource }: AdmissionHook,
  at: ResolvedInstallation,
  trust: Trust,
): object {
  const { operations, namespaceSelector = {}, objectSelector = {}, matchConditions, subresource } = config;
  const rules = config.rules ?? [
    {
      apiGroups: [resource.group],
      apiVersions: [resource.version],
      resources: [subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`],
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    },
  ];
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: trusting(clientConfigOf(at, path), trust),
    rules: rules.map((rule) => ({ scope: '*', ...rule, operations })),
    failurePolicy: config.failurePolicy,
    matchPolicy: config.matchPolicy,
    namespaceSelector,
    objectSelector,
    ...(matchConditions !== undefined && { matchConditions }),
    sideEffects: config.sideEffects,
    timeoutSeconds: config.timeoutSeconds,
    ...(type === 'mutate' && { reinvocationPolicy: config.reinvocationPolicy }),
  };
}

function trusting(clientConfig: object, { caBundle }: Trust): object {
  return caBundle === undefined ? clientConfig : { ...clientConfig, caBundle };
}

function conversionsOf(
  { conversions }: RegisteredHooks,
  at: ResolvedInstallation,
  trust: Trust,
  crds: readonly CrdWithVersions[],
): readonly WebhookManifest[] {
  const names = new Set([...conversions.values()].map(({ resource: { plural, group } }) => `${plural}.${group}`));
  const webhook = {
    clientConfig: trusting(clientConfigOf(at, CONVERT_PATH), trust),
    conversionReviewVersions: ['v1'],
  };
  return crds.map((crd) => {
    if (!names.has(crd.metadata.name)) return { ...crd };
    const metadata = { ...crd.metadata, ...annotated(crd.metadata.name, trust) };
    return { ...crd, metadata, spec: { ...crd.spec, conversion: { strategy: 'Webhook', webhook } } };
  });
}

function serviceOf(
  at: ResolvedInstallation,
  { selector, targetPort = 9443 }: WebhookManifestsOptions,
): readonly WebhookManifest[] {
  if (selector === undefined) return [];
  if (at.type === 'url') throw new TypeError('selector is for a Service, and url was given instead of service');
  const { namespace, name, port } = at.service;
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector, ports: [{ name: 'https', port, targetPort, protocol: 'TCP' }] },
    },
  ];
}
