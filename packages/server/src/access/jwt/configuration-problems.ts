/** What is wrong with an `AuthenticationConfiguration`, in the words of kube-apiserver. */

import { X509Certificate } from 'node:crypto';
import {
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldErrorsText,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { CelCompileError, type CelEnvironment, type CelProgram } from '@listwatch/cel';
import { CLAIMS_ENVIRONMENT, notBoolean, USER_ENVIRONMENT } from './claim-expressions.ts';
import type {
  AnonymousConfig,
  AuthenticationConfiguration,
  ClaimMappings,
  ClaimSource,
  ClaimValidationRule,
  JwtConfig,
  PrefixedClaim,
} from './jwt-config.ts';

const ISSUERS_MAX = 64;
const EXCLUSIVE = "claim and expression can't both be set";

/** Options of `checkAuthenticationConfiguration`. */
export interface ConfigurationCheckOptions {
  /** The issuers of service account tokens: no provider may have their name. Default: none. */
  readonly disallowedIssuers?: readonly string[] | undefined;
}

/** Throws a `TypeError` that names every problem. */
export function checkAuthenticationConfiguration(
  configuration: AuthenticationConfiguration,
  { disallowedIssuers = [] }: ConfigurationCheckOptions = {},
): void {
  const { jwt, anonymous } = configuration;
  const problems = [
    ...(jwt.length > ISSUERS_MAX
      ? [fieldTooMany('jwt', jwt.length, ISSUERS_MAX)]
      : jwtProblems(jwt, disallowedIssuers)),
    ...(anonymous === undefined ? [] : anonymousProblems(anonymous)),
  ];
  if (problems.length > 0) {
    throw new TypeError(`invalid authentication configuration: ${fieldErrorsText(problems)}`);
  }
}

function* jwtProblems(jwt: readonly JwtConfig[], disallowed: readonly string[]): Generator<FieldError> {
  const urls = new Set<string>();
  const discoveries = new Set<string>();
  for (const [index, config] of jwt.entries()) {
    const path = `jwt[${index}]`;
    yield* issuerProblems(config.issuer, `${path}.issuer`, disallowed);
    yield* repeated(config.issuer.url, urls, `${path}.issuer.url`);
    yield* repeated(config.issuer.discoveryURL ?? '', discoveries, `${path}.issuer.discoveryURL`);
    yield* ruleProblems(config.claimValidationRules ?? [], `${path}.claimValidationRules`);
    yield* mappingProblems(config, `${path}.claimMappings`);
    yield* userRuleProblems(config, `${path}.userValidationRules`);
  }
}

function* repeated(value: string, seen: Set<string>, path: string): Generator<FieldError> {
  if (value !== '' && seen.has(value)) yield fieldDuplicate(path, value);
  seen.add(value);
}

function* issuerProblems(
  issuer: JwtConfig['issuer'],
  path: string,
  disallowed: readonly string[],
): Generator<FieldError> {
  const { url, discoveryURL = '', certificateAuthority = '', egressSelectorType = '' } = issuer;
  if (url === '') yield fieldRequired(`${path}.url`);
  else if (disallowed.includes(url)) {
    yield fieldInvalid(`${path}.url`, url, `URL must not overlap with disallowed issuers: [${disallowed.join(' ')}]`);
  } else yield* urlProblems(url, `${path}.url`);
  if (discoveryURL !== '') {
    if (discoveryURL.replace(/\/+$/u, '') === url.replace(/\/+$/u, '')) {
      yield fieldInvalid(`${path}.discoveryURL`, discoveryURL, 'discoveryURL must be different from URL');
    }
    yield* urlProblems(discoveryURL, `${path}.discoveryURL`);
  }
  yield* audienceProblems(issuer, path);
  if (certificateAuthority !== '' && !isCertificate(certificateAuthority)) {
    const detail = 'data does not contain any valid RSA or ECDSA certificates';
    yield fieldInvalid(`${path}.certificateAuthority`, '<omitted>', detail);
  }
  if (egressSelectorType !== '') {
    // Without egress selectors either value would be ignored, and the administrator would not notice.
    const known = egressSelectorType === 'controlplane' || egressSelectorType === 'cluster';
    const detail = known
      ? 'egress selectors are not supported'
      : 'egress selector must be either controlplane or cluster';
    yield fieldInvalid(`${path}.egressSelectorType`, egressSelectorType, detail);
  }
}

function* urlProblems(text: string, path: string): Generator<FieldError> {
  if (!URL.canParse(text)) {
    yield fieldInvalid(path, text, 'it is not a URL');
    return;
  }
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:') yield fieldInvalid(path, text, 'URL scheme must be https');
  if (username !== '' || password !== '') {
    yield fieldInvalid(path, text, 'URL must not contain a username or password');
  }
  if (search !== '') yield fieldInvalid(path, text, 'URL must not contain a query');
  if (hash !== '') yield fieldInvalid(path, text, 'URL must not contain a fragment');
}

function* audienceProblems(
  { audiences, audienceMatchPolicy = '' }: JwtConfig['issuer'],
  path: string,
): Generator<FieldError> {
  if (audiences.length === 0) {
    yield fieldRequired(`${path}.audiences`, `at least one ${path}.audiences is required`);
  }
  const seen = new Set<string>();
  for (const [index, audience] of audiences.entries()) {
    const at = `${path}.audiences[${index}]`;
    if (audience === '') yield fieldRequired(at);
    yield* repeated(audience, seen, at);
  }
  const at = `${path}.audienceMatchPolicy`;
  if (audiences.length > 1 && audienceMatchPolicy !== 'MatchAny') {
    yield fieldInvalid(at, audienceMatchPolicy, 'audienceMatchPolicy must be MatchAny for multiple audiences');
  } else if (audiences.length <= 1 && audienceMatchPolicy !== '' && audienceMatchPolicy !== 'MatchAny') {
    yield fieldInvalid(at, audienceMatchPolicy, 'audienceMatchPolicy must be empty or MatchAny for single audience');
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function* ruleProblems(rules: readonly ClaimValidationRule[], path: string): Generator<FieldError> {
  const claims = new Set<string>();
  const expressions = new Set<string>();
  for (const [index, { claim = '', expression = '', message = '', requiredValue = '' }] of rules.entries()) {
    const at = `${path}[${index}]`;
    if (claim !== '' && expression !== '') yield fieldInvalid(at, claim, EXCLUSIVE);
    else if (claim === '' && expression === '') yield fieldRequired(at, 'claim or expression is required');
    else if (claim !== '') {
      yield* repeated(claim, claims, `${at}.claim`);
      if (message !== '') yield fieldInvalid(`${at}.message`, message, 'may not be specified when claim is set');
    } else {
      yield* repeated(expression, expressions, `${at}.expression`);
      if (requiredValue !== '') {
        yield fieldInvalid(`${at}.requiredValue`, requiredValue, 'may not be specified when expression is set');
      }
      yield* expressionProblems(CLAIMS_ENVIRONMENT, expression, `${at}.expression`, notBoolean);
    }
  }
}

function* mappingProblems(
  { claimMappings, claimValidationRules = [] }: JwtConfig,
  path: string,
): Generator<FieldError> {
  const { username, groups, uid } = claimMappings;
  yield* sourceProblems(username, `${path}.username`, true);
  yield* prefixProblems(username, `${path}.username`);
  if (groups !== undefined) {
    yield* sourceProblems(groups, `${path}.groups`, false);
    yield* prefixProblems(groups, `${path}.groups`);
  }
  if (uid !== undefined) yield* sourceProblems(uid, `${path}.uid`, false);
  yield* extraProblems(claimMappings, `${path}.extra`);
  yield* emailProblems(claimMappings, claimValidationRules, path);
}

function* sourceProblems(
  { claim = '', expression = '' }: ClaimSource,
  path: string,
  isRequired: boolean,
): Generator<FieldError> {
  if (claim !== '' && expression !== '') yield fieldInvalid(path, '', EXCLUSIVE);
  else if (expression !== '') yield* expressionProblems(CLAIMS_ENVIRONMENT, expression, `${path}.expression`);
  else if (claim === '' && isRequired) yield fieldRequired(path, 'claim or expression is required');
}

function* prefixProblems({ claim = '', expression = '', prefix }: PrefixedClaim, path: string): Generator<FieldError> {
  if (claim !== '' && expression !== '') return;
  if (claim !== '' && prefix === undefined) {
    yield fieldRequired(
      `${path}.prefix`,
      'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
    );
  }
  if (expression !== '' && prefix !== undefined) {
    yield fieldInvalid(`${path}.prefix`, prefix, 'may not be specified when expression is set');
  }
}

function* extraProblems({ extra = [] }: ClaimMappings, path: string): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, { key = '', valueExpression = '' }] of extra.entries()) {
    const at = `${path}[${index}]`;
    const detail = keyProblem(key);
    if (key === '') yield fieldRequired(`${at}.key`);
    else if (detail !== undefined) yield fieldInvalid(`${at}.key`, key, detail);
    yield* repeated(key, seen, `${at}.key`);
    if (valueExpression === '') yield fieldRequired(`${at}.valueExpression`);
    else yield* expressionProblems(CLAIMS_ENVIRONMENT, valueExpression, `${at}.valueExpression`);
  }
}

function keyProblem(key: string): string | undefined {
  const [domain = '', ...rest] = key.split('/');
  if (rest.join('/') === '' || checkDnsSubdomain(domain.toLowerCase()).length > 0) {
    return 'must be a domain-prefixed path (such as "acme.io/foo")';
  }
  if (key !== key.toLowerCase()) return 'must be lowercase';
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(domain)
    ? 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'
    : undefined;
}

/** An address that nobody has verified must not become a user name unnoticed. */
function* emailProblems(
  { username: { expression = '' }, extra = [] }: ClaimMappings,
  rules: readonly ClaimValidationRule[],
  path: string,
): Generator<FieldError> {
  if (!/\bclaims\.(?:\?)?email\b/u.test(expression)) return;
  const places = [
    expression,
    ...extra.map((one) => one.valueExpression),
    ...rules.map((rule) => rule.expression ?? ''),
  ];
  if (places.some((text) => /\bclaims\.(?:\?)?email_verified\b/u.test(text))) return;
  yield fieldInvalid(
    `${path}.username.expression`,
    expression,
    'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
  );
}

function* userRuleProblems({ userValidationRules = [] }: JwtConfig, path: string): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, { expression }] of userValidationRules.entries()) {
    const at = `${path}[${index}].expression`;
    if (expression === '') {
      yield fieldRequired(at);
      continue;
    }
    yield* repeated(expression, seen, at);
    yield* expressionProblems(USER_ENVIRONMENT, expression, at, notBoolean);
  }
}

function* expressionProblems(
  environment: CelEnvironment,
  expression: string,
  path: string,
  check: (program: CelProgram) => string | undefined = () => undefined,
): Generator<FieldError> {
  try {
    const detail = check(environment.compile(expression));
    if (detail !== undefined) yield fieldInvalid(path, expression, detail);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    yield fieldInvalid(path, expression, `compilation failed: ${error.message}`);
  }
}

function* anonymousProblems({ enabled, conditions = [] }: AnonymousConfig): Generator<FieldError> {
  if (enabled || conditions.length === 0) return;
  const shown = conditions.map(({ path }) => ({ Path: path }));
  yield fieldInvalid('anonymous.conditions', shown, 'enabled should be set to true when conditions are defined');
}
