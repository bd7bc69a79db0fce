/** Answers the checks of `authorizer` in expressions with the authorizer of the server. */

import { parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { AccessAnswers, type DecideAccess } from '@listwatch/rules/internal';
import type { UserInfo } from '../../../contract/api-request.ts';
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  SelectorRequirement,
} from '../../../contract/authorization.ts';
import { fieldRequirements, labelRequirements, parsedRequirements } from '../../../contract/selector-requirements.ts';

type Check = Parameters<AccessAnswers['ask']>[0];
type Verdict = ReturnType<AccessAnswers['ask']>;

/** The answers about a user, kept for one request. */
export function accessAnswers(authorizer: Pick<Authorizer, 'authorize'>, user: UserInfo): AccessAnswers {
  return new AccessAnswers(accessDecider(authorizer, user));
}

/** Decides about a user, or about the service account that is asked for. Never rejects. */
export function accessDecider(authorizer: Pick<Authorizer, 'authorize'>, user: UserInfo): DecideAccess {
  return (check) => {
    try {
      const decision = authorizer.authorize(attributesOf(check, user));
      return decision instanceof Promise ? decision.then(verdictOf, failed) : verdictOf(decision);
    } catch (error) {
      return failed(error);
    }
  };
}

function attributesOf({ verb, target, serviceAccount }: Check, user: UserInfo): AccessAttributes {
  const asked = serviceAccount === undefined ? user : accountUser(serviceAccount.namespace, serviceAccount.name);
  if (typeof target === 'string') return { ...NO_RESOURCE, user: asked, verb, path: target };
  const { group, resource, subresource, namespace, name, fieldSelector, labelSelector } = target;
  return {
    user: asked,
    verb,
    isResource: true,
    group,
    version: '*',
    resource,
    subresource,
    namespace,
    name,
    path: '',
    ...(fieldSelector === '' ? {} : { fieldSelector: parsedRequirements(fieldSelector, fieldsOf) }),
    ...(labelSelector === '' ? {} : { labelSelector: parsedRequirements(labelSelector, labelsOf) }),
  };
}

function fieldsOf(text: string): readonly SelectorRequirement[] {
  return fieldRequirements(parseFieldSelector(text));
}

function labelsOf(text: string): readonly SelectorRequirement[] {
  return labelRequirements(parseLabelSelector(text));
}

const NO_RESOURCE = {
  isResource: false,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
} as const;

function accountUser(namespace: string, name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

function verdictOf({ allowed, reason = '' }: AccessDecision): Verdict {
  return { allowed, reason, error: '' };
}

function failed(error: unknown): Verdict {
  return { allowed: false, reason: '', error: error instanceof Error ? error.message : String(error) };
}
