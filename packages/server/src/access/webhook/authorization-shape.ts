/** Reads an `AuthorizationConfiguration` strictly. */

import { type FileKind, readStrictly } from '../strict-shape.ts';
import type { AuthorizationConfiguration } from './authorization-configuration.ts';

const FILE: FileKind = {
  kind: 'AuthorizationConfiguration',
  versions: ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1', 'apiserver.config.k8s.io/v1alpha1'],
  shape: {
    authorizers: [
      {
        type: 'string',
        name: 'string',
        webhook: {
          timeout: 'string',
          authorizedTTL: 'string',
          unauthorizedTTL: 'string',
          cacheAuthorizedRequests: 'boolean',
          cacheUnauthorizedRequests: 'boolean',
          subjectAccessReviewVersion: 'string',
          matchConditionSubjectAccessReviewVersion: 'string',
          failurePolicy: 'string',
          connectionInfo: { type: 'string', kubeConfigFile: 'string' },
          matchConditions: [{ expression: 'string' }],
        },
      },
    ],
  },
};

/** Parses YAML or JSON. Throws a `TypeError` that says what is wrong and where. */
export function parseAuthorizationConfiguration(text: string): AuthorizationConfiguration {
  // An empty file is one without authorizers, which the check refuses.
  if (text === '') return { authorizers: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its shape was just checked
  const read = readStrictly(text, FILE) as Partial<AuthorizationConfiguration>;
  const authorizers = (read.authorizers ?? []).map((one) => ({ ...one, type: one.type ?? '', name: one.name ?? '' }));
  return { authorizers };
}
