/** The objects of the API that webhooks have to do with, as far as they are used here. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { ClientConfig } from './installation.ts';

/** A ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: ClientConfig }[];
}

/** A CustomResourceDefinition. */
export interface ConvertedDefinition extends ApiObject {
  readonly spec: {
    readonly conversion?: {
      readonly strategy?: string;
      readonly webhook?: { readonly clientConfig?: ClientConfig };
    };
  };
}

export interface SecretObject extends ApiObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

function configuration(type: 'Mutating' | 'Validating'): Resource<WebhookConfiguration> {
  return resource<WebhookConfiguration>({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    plural: `${type.toLowerCase()}webhookconfigurations`,
    kind: `${type}WebhookConfiguration`,
    namespaced: false,
  });
}

export const validatingConfigurations: Resource<WebhookConfiguration> = configuration('Validating');
export const mutatingConfigurations: Resource<WebhookConfiguration> = configuration('Mutating');

export const definitions: Resource<ConvertedDefinition> = resource<ConvertedDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
});

export const certificateSecrets: Resource<SecretObject> = resource<SecretObject>({
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
});
