/** Makes a user of the verified claims of a token. */

import { type JsonRecord, textOf } from '@listwatch/api/values';
import type { CelProgram, CelValue } from '@listwatch/cel';
import type { UserInfo } from '../../contract/api-request.ts';
import { CredentialProblem } from '../credential-problem.ts';
import {
  CLAIMS_ENVIRONMENT,
  claimsValue,
  evaluate,
  textResult,
  textsResult,
  USER_ENVIRONMENT,
  userValue,
} from './claim-expressions.ts';
import type { ClaimSource, JwtConfig } from './jwt-config.ts';

/** Makes the user. Throws a `CredentialProblem` for claims that are missing or that a rule refuses. */
export type ClaimMapper = (claims: JsonRecord) => UserInfo;

interface Claims {
  readonly raw: JsonRecord;
  readonly variables: Readonly<Record<string, CelValue>>;
}

type Read<T> = (claims: Claims) => T;

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** Compiles the expressions of a configuration that was validated. */
export function claimMapper(config: JwtConfig): ClaimMapper {
  const { username, groups, uid, extra = [] } = config.claimMappings;
  const nameOf = usernameReader(username);
  const groupsOf = groupsReader(groups ?? {});
  const uidOf = uidReader(uid ?? {});
  const extras = extra.map(({ key, valueExpression }) => {
    const program = CLAIMS_ENVIRONMENT.compile(valueExpression);
    const what = `extra claim expression: ${key}`;
    return [key, ({ variables }: Claims) => textsResult(evaluate(program, variables, what), what)] as const;
  });
  const checkClaims = claimRules(config);
  const checkUser = userRules(config);
  return (raw) => {
    const claims: Claims = { raw, variables: { claims: claimsValue(raw) } };
    const name = nameOf(claims);
    if (name === '') throw new CredentialProblem('oidc: the username of the token is empty');
    const userGroups = groupsOf(claims);
    const userUid = uidOf(claims);
    const values = extras.map(([key, read]) => [key, read(claims)] as const).filter(([, texts]) => texts.length > 0);
    const id = textOf(raw['jti']);
    const all = Object.fromEntries(id === '' ? values : [...values, [CREDENTIAL_ID, [`JTI=${id}`]] as const]);
    const user: UserInfo = {
      name,
      ...(userUid === '' ? {} : { uid: userUid }),
      groups: userGroups,
      ...(Object.keys(all).length === 0 ? {} : { extra: all }),
    };
    checkClaims(claims);
    checkUser(user);
    return user;
  };
}

function usernameReader({
  claim = '',
  expression = '',
  prefix = '',
}: JwtConfig['claimMappings']['username']): Read<string> {
  if (expression !== '') return expressionReader(expression, 'username claim expression', textResult);
  return ({ raw }) => {
    // An address that the provider has not verified could be anybody's.
    if (claim === 'email' && 'email_verified' in raw && raw['email_verified'] !== true) {
      throw new CredentialProblem('oidc: email not verified');
    }
    return prefix + textClaim(raw, claim, 'username');
  };
}

function groupsReader({
  claim = '',
  expression = '',
  prefix = '',
}: ClaimSource & { readonly prefix?: string | undefined }): Read<readonly string[]> {
  if (expression !== '') return expressionReader(expression, 'group claim expression', textsResult);
  if (claim === '') return () => [];
  return ({ raw }) => {
    const value = raw[claim];
    if (value === undefined || value === null) return [];
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return texts.map((text) => {
      if (typeof text !== 'string') {
        throw new CredentialProblem(
          `oidc: parse groups claim ${JSON.stringify(claim)}: it must be a string or a list of strings`,
        );
      }
      return prefix + text;
    });
  };
}

function uidReader({ claim = '', expression = '' }: ClaimSource): Read<string> {
  if (expression !== '') return expressionReader(expression, 'uid claim expression', textResult);
  return claim === '' ? () => '' : ({ raw }) => textClaim(raw, claim, 'uid');
}

function expressionReader<T>(expression: string, what: string, read: (value: CelValue, what: string) => T): Read<T> {
  const program = CLAIMS_ENVIRONMENT.compile(expression);
  return ({ variables }) => read(evaluate(program, variables, what), what);
}

function textClaim(raw: JsonRecord, claim: string, what: string): string {
  const value = Object.hasOwn(raw, claim) ? raw[claim] : undefined;
  if (typeof value === 'string') return value;
  const problem = value === undefined ? 'claim not present' : 'it must be a string';
  throw new CredentialProblem(`oidc: parse ${what} claims ${JSON.stringify(claim)}: ${problem}`);
}

function claimRules({ claimValidationRules: rules = [] }: JwtConfig): (claims: Claims) => void {
  const required = rules.filter(({ claim = '' }) => claim !== '');
  const checked = rules
    .filter(({ expression = '' }) => expression !== '')
    .map(({ expression = '', message = '' }) => ({
      expression,
      message,
      program: CLAIMS_ENVIRONMENT.compile(expression),
    }));
  return ({ raw, variables }) => {
    for (const { claim = '', requiredValue = '' } of required) requireClaim(raw, claim, requiredValue);
    for (const rule of checked) requireTrue(rule, variables, 'claim validation expression');
  };
}

function requireClaim(raw: JsonRecord, claim: string, wanted: string): void {
  const value = Object.hasOwn(raw, claim) ? raw[claim] : undefined;
  if (value === undefined) throw new CredentialProblem(`oidc: required claim ${claim} not present in ID token`);
  if (typeof value !== 'string') throw new CredentialProblem(`oidc: parse claim ${claim}: it must be a string`);
  if (value === wanted) return;
  throw new CredentialProblem(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
}

function userRules({ userValidationRules: rules = [] }: JwtConfig): (user: UserInfo) => void {
  const checked = rules.map(({ expression, message = '' }) => ({
    expression,
    message,
    program: USER_ENVIRONMENT.compile(expression),
  }));
  if (checked.length === 0) return () => {};
  return (user) => {
    const variables = { user: userValue(user) };
    for (const rule of checked) requireTrue(rule, variables, 'user info validation rule');
  };
}

function requireTrue(
  { program, expression, message }: { program: CelProgram; expression: string; message: string },
  variables: Readonly<Record<string, CelValue>>,
  what: string,
): void {
  if (evaluate(program, variables, what) === true) return;
  const reason = message === '' ? '' : `: ${message}`;
  throw new CredentialProblem(`oidc: error evaluating ${what}: validation expression '${expression}' failed${reason}`);
}
