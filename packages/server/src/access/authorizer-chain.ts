/** Several authorizers in their order, after the group that may do everything. */

import type { UserInfo } from '../contract/api-request.ts';
import {
  type AccessDecision,
  type AccessRules,
  type Authorizer,
  DenyingFailure,
  UndecidedFailure,
} from '../contract/authorization.ts';
import { SYSTEM } from './authenticator.ts';
import { goErrors } from './go-errors.ts';

const NO_OPINION: AccessDecision = { allowed: false };

/** Members of `system:masters` are allowed before any other authorizer is asked. */
const MASTERS: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(SYSTEM.masters) ? { allowed: true } : NO_OPINION),
  rules: () => NO_RULES,
};

const NO_RULES: AccessRules = { resourceRules: [], nonResourceRules: [] };
const ALL_RULES: AccessRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/** Allows everything to everybody: for a server that nobody else can reach. */
export const ALWAYS_ALLOW: Authorizer = { authorize: () => ({ allowed: true }), rules: () => ALL_RULES };

/** Has no opinion of anything, and says so. */
export const ALWAYS_DENY: Authorizer = {
  authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }),
  rules: () => NO_RULES,
};

/** It can always list rules, if incompletely. */
export type AuthorizerChain = Required<Authorizer>;

/**
 * Asks each in turn. The first that allows or denies decides; otherwise the request is refused with the reasons of all. The failure
 * of one counts only when no other decides: then it is thrown. A `DenyingFailure` decides, too.
 */
export function authorizerChain(authorizers: readonly Authorizer[]): AuthorizerChain {
  const all = [MASTERS, ...authorizers];
  return {
    authorize(attributes) {
      const reasons: string[] = [];
      for (const [index, authorizer] of all.entries()) {
        const answer = tried(() => authorizer.authorize(attributes));
        // Most decide at once: they cost no promise.
        if (answer instanceof Promise) return later(all.slice(index + 1), answer, attributes, reasons);
        if (answer.allowed || answer.denied === true) return answer;
        if (answer.reason) reasons.push(answer.reason);
      }
      return refusal(reasons);
    },
    rules: async (user, namespace) => joined(await Promise.all(all.map((one) => rulesOf(one, user, namespace)))),
  };
}

type Ask = Parameters<Authorizer['authorize']>[0];
type Answer = ReturnType<Authorizer['authorize']>;

function tried(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    return Promise.reject(error);
  }
}

async function later(
  rest: readonly Authorizer[],
  first: Promise<AccessDecision>,
  attributes: Ask,
  reasons: string[],
): Promise<AccessDecision> {
  const failures: unknown[] = [];
  let pending: Answer = first;
  for (let next = 0; ; next += 1) {
    try {
      const answer = await pending;
      if (answer.allowed || answer.denied === true) return answer;
      if (answer.reason) reasons.push(answer.reason);
    } catch (error) {
      if (error instanceof DenyingFailure) throw error;
      failures.push(error);
    }
    const authorizer = rest[next];
    if (authorizer === undefined) break;
    pending = tried(() => authorizer.authorize(attributes));
  }
  if (failures.length > 0) throw withReasons(joinedFailure(failures), reasons);
  return refusal(reasons);
}

function joinedFailure([first, ...others]: readonly unknown[]): unknown {
  if (others.length === 0) return first;
  const messages = [first, ...others].map((error) => (error instanceof Error ? error.message : String(error)));
  return new Error(goErrors(messages), { cause: first });
}

function withReasons(failure: unknown, reasons: readonly string[]): unknown {
  if (reasons.length === 0) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  return new UndecidedFailure(message, reasons.join('\n'), { cause: failure });
}

function refusal(reasons: readonly string[]): AccessDecision {
  return reasons.length === 0 ? NO_OPINION : { allowed: false, reason: reasons.join('\n') };
}

const UNLISTED: AccessRules = {
  ...NO_RULES,
  incomplete: true,
  evaluationError: 'the authorizer does not support user rule resolution',
};

async function rulesOf(authorizer: Authorizer, user: UserInfo, namespace: string): Promise<AccessRules> {
  return authorizer.rules === undefined ? UNLISTED : authorizer.rules(user, namespace);
}

function joined(lists: readonly AccessRules[]): AccessRules {
  const errors = lists.flatMap(({ evaluationError }) => (evaluationError === undefined ? [] : [evaluationError]));
  return {
    resourceRules: lists.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: lists.flatMap(({ nonResourceRules }) => nonResourceRules),
    ...(lists.some(({ incomplete }) => incomplete === true) ? { incomplete: true } : {}),
    ...(errors.length === 0 ? {} : { evaluationError: goErrors(errors) }),
  };
}
