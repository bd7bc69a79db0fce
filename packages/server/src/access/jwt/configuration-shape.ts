/** Reads an `AuthenticationConfiguration` strictly: every field is known and of its type. */

import { type FileKind, readStrictly } from '../strict-shape.ts';
import type { AuthenticationConfiguration } from './jwt-config.ts';

const CLAIM = { claim: 'string', expression: 'string' } as const;
const SHAPE: FileKind['shape'] = {
  anonymous: { enabled: 'boolean', conditions: [{ path: 'string' }] },
  jwt: [
    {
      issuer: {
        url: 'string',
        discoveryURL: 'string',
        certificateAuthority: 'string',
        audiences: ['string'],
        audienceMatchPolicy: 'string',
        egressSelectorType: 'string',
      },
      claimValidationRules: [{ ...CLAIM, requiredValue: 'string', message: 'string' }],
      claimMappings: {
        username: { ...CLAIM, prefix: 'string' },
        groups: { ...CLAIM, prefix: 'string' },
        uid: CLAIM,
        extra: [{ key: 'string', valueExpression: 'string' }],
      },
      userValidationRules: [{ expression: 'string', message: 'string' }],
    },
  ],
};

const FILE: FileKind = {
  kind: 'AuthenticationConfiguration',
  versions: ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1'],
  shape: SHAPE,
};

/** Parses YAML or JSON. Throws a `TypeError` that says what is wrong and where. */
export function parseAuthenticationConfiguration(text: string): AuthenticationConfiguration {
  const value = readStrictly(text, FILE);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its shape was just checked
  const read = value as unknown as Partial<AuthenticationConfiguration>;
  const jwt = (read.jwt ?? []).map((entry) => ({
    ...entry,
    issuer: { ...entry.issuer, url: entry.issuer?.url ?? '', audiences: entry.issuer?.audiences ?? [] },
    claimMappings: { ...entry.claimMappings, username: entry.claimMappings?.username ?? {} },
    userValidationRules: (entry.userValidationRules ?? []).map((rule) => ({
      ...rule,
      expression: rule.expression ?? '',
    })),
  }));
  const { anonymous } = read;
  return {
    jwt,
    ...(anonymous === undefined ? {} : { anonymous: { ...anonymous, enabled: anonymous.enabled ?? false } }),
  };
}
