import { describe, expect, it } from 'vitest';
import { checkAuthenticationConfiguration } from './configuration-problems.ts';
import { parseAuthenticationConfiguration } from './configuration-shape.ts';

const ISSUER = { url: 'https://a.example', audiences: ['x'] };
const MAPPINGS = { username: { claim: 'sub', prefix: '' } };
const HEAD = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };

function check(content: object, head: object = HEAD): string {
  try {
    checkAuthenticationConfiguration(parseAuthenticationConfiguration(JSON.stringify({ ...head, ...content })), {
      disallowedIssuers: ['https://kubernetes.default.svc'],
    });
    return '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message.replace('invalid authentication configuration: ', '');
  }
}
const entry = (more: object): string => check({ jwt: [{ issuer: ISSUER, claimMappings: MAPPINGS, ...more }] });
const issuer = (more: object): string => entry({ issuer: { ...ISSUER, ...more } });
const mapping = (more: object): string => entry({ claimMappings: { ...MAPPINGS, ...more } });

it('a complete file of both versions is accepted', () => {
  const content = {
    jwt: [
      {
        issuer: {
          ...ISSUER,
          discoveryURL: 'https://b.example/d',
          audiences: ['x', 'y'],
          audienceMatchPolicy: 'MatchAny',
        },
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'a' },
          { expression: 'claims.email_verified == true', message: 'm' },
        ],
        claimMappings: {
          username: { expression: 'claims.email' },
          groups: { claim: 'groups', prefix: '' },
          uid: { claim: 'oid' },
          extra: [{ key: 'acme.io/a', valueExpression: 'claims.a' }],
        },
        userValidationRules: [{ expression: "user.username != ''" }],
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
  };
  expect(check(content)).toBe('');
  expect(check(content, { ...HEAD, apiVersion: 'apiserver.config.k8s.io/v1beta1' })).toBe('');
  expect(check({})).toBe('');
});

describe('a file is refused in the words of kube-apiserver', () => {
  const URL = 'jwt[0].issuer.url: Invalid value: ';
  const MAP = 'jwt[0].claimMappings';
  it.each([
    [issuer({ url: '' }), 'jwt[0].issuer.url: Required value'],
    [issuer({ url: 'http://a.example' }), `${URL}"http://a.example": URL scheme must be https`],
    [
      issuer({ url: 'https://u:p@a.example' }),
      `${URL}"https://u:p@a.example": URL must not contain a username or password`,
    ],
    [issuer({ url: 'https://a.example?x=1' }), `${URL}"https://a.example?x=1": URL must not contain a query`],
    [issuer({ url: 'https://a.example#x' }), `${URL}"https://a.example#x": URL must not contain a fragment`],
    [
      issuer({ url: 'https://kubernetes.default.svc' }),
      `${URL}"https://kubernetes.default.svc": URL must not overlap with disallowed issuers: [https://kubernetes.default.svc]`,
    ],
    [
      issuer({ discoveryURL: 'https://a.example/' }),
      'jwt[0].issuer.discoveryURL: Invalid value: "https://a.example/": discoveryURL must be different from URL',
    ],
    [
      issuer({ audiences: [] }),
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    [issuer({ audiences: [''] }), 'jwt[0].issuer.audiences[0]: Required value'],
    [
      issuer({ audiences: ['x', 'x'], audienceMatchPolicy: 'MatchAny' }),
      'jwt[0].issuer.audiences[1]: Duplicate value: "x"',
    ],
    [
      issuer({ audiences: ['x', 'y'] }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      issuer({ audienceMatchPolicy: 'MatchAll' }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
    [
      issuer({ certificateAuthority: 'nope' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    [entry({ claimMappings: {} }), `${MAP}.username: Required value: claim or expression is required`],
    [
      mapping({ username: { claim: 'a', expression: 'claims.a' } }),
      `${MAP}.username: Invalid value: "": claim and expression can't both be set`,
    ],
    [
      mapping({ username: { claim: 'a' } }),
      `${MAP}.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing`,
    ],
    [
      mapping({ username: { expression: 'claims.a', prefix: 'x' } }),
      `${MAP}.username.prefix: Invalid value: "x": may not be specified when expression is set`,
    ],
    [
      mapping({ username: { expression: 'claims.email' } }),
      `${MAP}.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression`,
    ],
    [
      mapping({ groups: { claim: 'g', expression: 'claims.g' } }),
      `${MAP}.groups: Invalid value: "": claim and expression can't both be set`,
    ],
    [
      mapping({ uid: { claim: 'g', expression: 'claims.g' } }),
      `${MAP}.uid: Invalid value: "": claim and expression can't both be set`,
    ],
    [mapping({ extra: [{ key: '', valueExpression: 'claims.x' }] }), `${MAP}.extra[0].key: Required value`],
    [
      mapping({ extra: [{ key: 'foo', valueExpression: 'claims.x' }] }),
      `${MAP}.extra[0].key: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")`,
    ],
    [
      mapping({ extra: [{ key: 'a.b/C', valueExpression: 'claims.x' }] }),
      `${MAP}.extra[0].key: Invalid value: "a.b/C": must be lowercase`,
    ],
    [
      mapping({ extra: [{ key: 'x.k8s.io/a', valueExpression: 'claims.x' }] }),
      `${MAP}.extra[0].key: Invalid value: "x.k8s.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use`,
    ],
    [mapping({ extra: [{ key: 'a.b/c' }] }), `${MAP}.extra[0].valueExpression: Required value`],
    [
      entry({ claimValidationRules: [{ claim: 'a', expression: 'true' }] }),
      `jwt[0].claimValidationRules[0]: Invalid value: "a": claim and expression can't both be set`,
    ],
    [
      entry({ claimValidationRules: [{}] }),
      'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    ],
    [
      entry({ claimValidationRules: [{ claim: 'a', message: 'm' }] }),
      'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
    ],
    [
      entry({ claimValidationRules: [{ expression: 'true', requiredValue: 'm' }] }),
      'jwt[0].claimValidationRules[0].requiredValue: Invalid value: "m": may not be specified when expression is set',
    ],
    [
      entry({ claimValidationRules: [{ expression: '1' }] }),
      'jwt[0].claimValidationRules[0].expression: Invalid value: "1": must evaluate to bool',
    ],
    [entry({ userValidationRules: [{ expression: '' }] }), 'jwt[0].userValidationRules[0].expression: Required value'],
    [
      entry({ userValidationRules: [{ expression: 'user.username' }] }),
      'jwt[0].userValidationRules[0].expression: Invalid value: "user.username": must evaluate to bool',
    ],
    [
      check({ anonymous: { enabled: false, conditions: [{ path: '/x' }] } }),
      'anonymous.conditions: Invalid value: [{"Path":"/x"}]: enabled should be set to true when conditions are defined',
    ],
  ])('%s', (problem, expected) => expect(problem).toBe(expected));

  it('when an expression does not compile', () => {
    const text =
      'jwt[0].userValidationRules[0].expression: Invalid value: "user.nope": compilation failed: ERROR: <input>:1:5: undefined field \'nope\'';
    expect(entry({ userValidationRules: [{ expression: 'user.nope' }] })).toContain(text);
    expect(mapping({ uid: { expression: 'claims.' } })).toContain(
      'compilation failed: ERROR: <input>:1:8: Syntax error',
    );
  });

  it('when issuers repeat, or are too many', () => {
    const one = { issuer: ISSUER, claimMappings: MAPPINGS };
    expect(check({ jwt: [one, one] })).toBe('jwt[1].issuer.url: Duplicate value: "https://a.example"');
    expect(check({ jwt: Array.from({ length: 65 }, () => one) })).toBe('jwt: Too many: 65: must have at most 64 items');
  });

  it('with every problem at once', () => {
    expect(entry({ issuer: { url: 'http://a', audiences: [] } })).toMatch(
      /^\[jwt\[0\]\.issuer\.url: .*, jwt\[0\]\.issuer\.audiences: .*\]$/u,
    );
  });
});

describe('a file is read strictly', () => {
  it.each([
    [check({ foo: 1 }), 'strict decoding error: unknown field "foo"'],
    [issuer({ foo: 1 }), 'strict decoding error: unknown field "jwt[0].issuer.foo"'],
    [issuer({ foo: 1, url: 3 }), /url must be a string, not number, unknown field "jwt\[0\]\.issuer\.foo"/u],
    [check({ jwt: 3 }), 'strict decoding error: jwt must be a list, not number'],
    [check({ jwt: [3] }), 'strict decoding error: jwt[0] must be an object, not number'],
    [check({}, { kind: 'Nope', apiVersion: 'v1' }), /^no kind "Nope" is known for version "v1"/u],
  ])('%s', (problem, expected) => {
    if (typeof expected === 'string') expect(problem).toBe(expected);
    else expect(problem).toMatch(expected);
  });

  it('and no alias, no huge text, nothing but an object', () => {
    expect(() => parseAuthenticationConfiguration('a: &a [x]\nb: *a')).toThrow(TypeError);
    expect(() => parseAuthenticationConfiguration('jwt: [')).toThrow(TypeError);
    expect(() => parseAuthenticationConfiguration(' '.repeat(4 * 1024 * 1024 + 1))).toThrow('more than 4194304');
    expect(() => parseAuthenticationConfiguration('[]')).toThrow('must hold an object');
  });
});
