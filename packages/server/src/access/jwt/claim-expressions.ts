/** The expressions of JWT authenticators: their environments, and their results as texts. */

import type { JsonRecord } from '@listwatch/api/values';
import {
  adapter,
  BOOL,
  type CelEnvironment,
  CelError,
  CelList,
  type CelProgram,
  type CelValue,
  DYN,
  kubernetesEnvironment,
  listType,
  mapType,
  type ObjectTypes,
  objectType,
  STRING,
} from '@listwatch/cel';
import type { UserInfo } from '../../contract/api-request.ts';
import { CredentialProblem } from '../credential-problem.ts';

/** As kube-apiserver, for one expression. */
const COST_MAX = 1_000_000;
const CLAIMS_TYPE = mapType(STRING, DYN);
const USER_TYPE = objectType('kubernetes.UserInfo');
const USER_FIELDS = new Map([
  ['username', STRING],
  ['uid', STRING],
  ['groups', listType(STRING)],
  ['extra', mapType(STRING, listType(STRING))],
]);
const USER_TYPES: ObjectTypes = { fields: (name) => (name === USER_TYPE.name ? USER_FIELDS : undefined) };

/** `claims`: a map of what the token says. */
export const CLAIMS_ENVIRONMENT: CelEnvironment = kubernetesEnvironment().extend({
  variables: { claims: CLAIMS_TYPE },
});
/** `user`: what the claims were mapped to. */
export const USER_ENVIRONMENT: CelEnvironment = kubernetesEnvironment().extend({
  variables: { user: USER_TYPE },
  objectTypes: USER_TYPES,
});

const adaptClaims = adapter(CLAIMS_TYPE);
const adaptUser = adapter(USER_TYPE, USER_TYPES);

/** The value of `claims` in expressions. */
export function claimsValue(claims: JsonRecord): CelValue {
  return adaptClaims(claims);
}

/** The value of `user` in expressions. */
export function userValue({ name, uid = '', groups, extra = {} }: UserInfo): CelValue {
  return adaptUser({ username: name, uid, groups, extra });
}

/** Why an expression that must be true or false is not one; undefined when it is. */
export function notBoolean(program: CelProgram): string | undefined {
  return program.resultType.kind === BOOL.kind ? undefined : 'must evaluate to bool';
}

/** Runs an expression. Throws a `CredentialProblem` that says what it was for. */
export function evaluate(program: CelProgram, variables: Readonly<Record<string, CelValue>>, what: string): CelValue {
  const { result } = program.evaluate(variables, { cost: COST_MAX });
  if (result instanceof CelError) throw new CredentialProblem(`oidc: error evaluating ${what}: ${result.message}`);
  return result;
}

/** The result as one text. */
export function textResult(value: CelValue, what: string): string {
  if (typeof value === 'string') return value;
  throw new CredentialProblem(`oidc: error evaluating ${what}: expression must return a string`);
}

/** The result as texts: a text, a list of texts, or null; empty ones are dropped. */
export function textsResult(value: CelValue, what: string): readonly string[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  if (!(value instanceof CelList)) {
    throw new CredentialProblem(`oidc: error evaluating ${what}: expression must return a string or a list of strings`);
  }
  return [...value].map((item) => textResult(item, what)).filter((text) => text !== '');
}
