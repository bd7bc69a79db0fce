/** Asks the server's own authorizer what a user may do. */

import type { ServedResource } from '@listwatch/client';
import type { CheckContext } from './check.ts';
import { valueAt } from './json-path.ts';
import { answerJson, type ProbeAnswer } from './probe.ts';

/** One request that a user may want to make. */
export type AccessQuestion =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      /** Undefined: in none, or in all. */
      readonly namespace?: string | undefined;
      /** `''`: any. */
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

/** May the user do this? */
export type MayUser = (question: AccessQuestion) => Promise<boolean>;

const GROUP = 'authorization.k8s.io';
const EVERYTHING: AccessQuestion = { verb: 'list', group: '*', resource: '*', subresource: '', name: '' };

/**
 * Asks about the service account of the settings, else about this user. Undefined where the server has no such reviews, or
 * refuses them.
 */
export async function accessReviewer(
  { ask, settings: { serviceAccount } }: Pick<CheckContext, 'ask' | 'settings'>,
  resources: readonly ServedResource[],
): Promise<MayUser | undefined> {
  const kind = serviceAccount === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const plural = `${kind.toLowerCase()}s`;
  if (!resources.some((served) => served.group === GROUP && served.plural === plural)) return undefined;
  const subject = serviceAccount === undefined ? {} : subjectOf(serviceAccount);
  const review = (question: AccessQuestion): Promise<ProbeAnswer> => {
    const attributes = 'path' in question ? { nonResourceAttributes: question } : { resourceAttributes: question };
    const body = { apiVersion: `${GROUP}/v1`, kind, spec: { ...attributes, ...subject } };
    return ask(`/apis/${GROUP}/v1/${plural}`, { method: 'POST', body });
  };
  if ((await review(EVERYTHING)).status >= 300) return undefined;
  return async (question) => valueAt(answerJson(await review(question)), 'status', 'allowed') === true;
}

/** NAMESPACE/NAME, with the groups that its tokens have. */
function subjectOf(serviceAccount: string): { readonly user: string; readonly groups: readonly string[] } {
  const [namespace = '', name = ''] = serviceAccount.split('/', 2);
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
