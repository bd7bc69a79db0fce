/** Who a request is, beside kube-apiserver: certificates, front proxies, bootstrap tokens, and tokens of real OIDC providers. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { backgroundClock } from '@listwatch/api';
import { OIDC_CLIENT, OidcIssuer, OTHER_CLIENT } from '@listwatch/conformance/oidc';
import {
  type KubeApiserverProcess,
  needs,
  startKubeApiserver,
  TestAuthority,
  type TestCertificatePair,
} from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { JwtAuthenticators, parseAuthenticationConfiguration } from '../src/authentication.ts';
import { parseTokenFile } from '../src/index.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const ADMIN = 'admin-token';
const PLAIN = 'plain-token,plain,p7,"g1,g2"';
const OPEN = ['/livez', '/api/v1/namespaces'];
const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const BOOTSTRAP = '0123456789abcdef';
/** Bootstrap tokens by their ids, and what is odd about each. */
const SECRET_DATA: Readonly<Record<string, object>> = {
  aaaaaa: { 'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a' },
  bbbbbb: { 'usage-bootstrap-authentication': 'false' },
  cccccc: { expiration: '2020-01-01T00:00:00Z' },
  dddddd: { 'auth-extra-groups': 'devs' },
  eeeeee: { expiration: 'soon' },
  ffffff: { 'token-id': 'gggggg' },
};

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: object;
  readonly client?: TestCertificatePair;
}

interface Answer {
  readonly status: number;
  readonly warning: unknown;
  readonly challenge: unknown;
  readonly body: string;
}

const bearer = (token: string): NonNullable<Sent['headers']> => ({ authorization: `Bearer ${token}` });
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Asks who it is. */
const whoIs = (shown: Omit<Sent, 'path'>): Sent => ({
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  ...shown,
});
/** Asks whose token it is, which says why it is refused. */
const review = (token: string, more: object = {}): Sent => ({
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/tokenreviews',
  headers: { authorization: `Bearer ${ADMIN}` },
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, ...more } },
});

async function send(url: string, { method = 'GET', path, headers = {}, body, client }: Sent): Promise<Answer> {
  const all = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const how = { method, headers: all, rejectUnauthorized: false, agent: false, ...client };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpsRequest(url + path, how, resolve).on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
  const { warning, 'www-authenticate': challenge } = answer.headers;
  return { status: answer.statusCode ?? 0, warning, challenge, body: comparable(await text(answer)) };
}

/** Without what no two servers have in common: times, ids of tokens, the form of JSON. */
function comparable(body: string): string {
  if (!body.startsWith('{')) return body;
  const { status, message, reason, details } = JSON.parse(body);
  return JSON.stringify([status, message, reason, details]).replaceAll(/JTI=[^"]*/gu, 'JTI=');
}

describe('authentication beside kube-apiserver', needs('kube-apiserver'), () => {
  let folder: string;
  let users: TestAuthority;
  let proxies: TestAuthority;
  let others: TestAuthority;
  const issuers: OidcIssuer[] = [];
  let real: KubeApiserverProcess;
  let own: TestServer;
  let jwt: JwtAuthenticators;
  const tokens: Record<string, string> = {};

  const written = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'listwatch-authentication-'));
    users = new TestAuthority('users');
    proxies = new TestAuthority('proxies');
    others = new TestAuthority('others');
    const [first, second] = [await OidcIssuer.start(), await OidcIssuer.start()];
    issuers.push(first, second);
    const configuration = configurationOf(first, second);
    const file = parseAuthenticationConfiguration(configuration);
    jwt = new JwtAuthenticators(file.jwt, { clock: backgroundClock });
    const tokenFile = [`${ADMIN},admin,admin,"system:masters"`, PLAIN];
    own = await startTestServer(createMemoryEngine(), {
      authenticator: undefined,
      tls: { ...others.server(), clientCa: users.ca, requestHeaderCa: proxies.ca },
      authentication: {
        certificates: true,
        bootstrapTokens: true,
        tokens: parseTokenFile(tokenFile.join('\n')),
        jwt,
        anonymous: { paths: OPEN },
        requestHeader: {
          allowedNames: ['proxy'],
          usernameHeaders: ['X-Remote-User', 'X-Who'],
          uidHeaders: ['X-Remote-Uid'],
        },
      },
    });
    real = await startKubeApiserver({
      tokens: tokenFile,
      flags: [
        `--client-ca-file=${written('users.crt', users.ca)}`,
        `--requestheader-client-ca-file=${written('proxies.crt', proxies.ca)}`,
        '--requestheader-allowed-names=proxy',
        '--requestheader-username-headers=X-Remote-User,X-Who',
        '--requestheader-uid-headers=X-Remote-Uid',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        '--enable-bootstrap-token-auth=true',
        `--authentication-config=${written('authn.json', configuration)}`,
      ],
    });
    await Promise.all([real.url, own.url].map(fill));
    Object.assign(tokens, await newTokens(first, second));
    // Both have the keys of the provider, and kube-apiserver its bootstrap tokens.
    for (const token of [tokens['good'] ?? '', `aaaaaa.${BOOTSTRAP}`]) {
      for (const url of [real.url, own.url]) await accepted(url, whoIs({ headers: bearer(token) }));
    }
  }, 180_000);

  afterAll(async () => {
    await Promise.all([
      real?.stop(),
      own?.[Symbol.asyncDispose](),
      ...issuers.map((one) => one[Symbol.asyncDispose]()),
    ]);
    jwt?.close();
    for (const authority of [users, proxies, others]) authority[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  async function alike(sent: Sent, status: number): Promise<void> {
    const [theirs, ours] = await Promise.all([send(real.url, sent), send(own.url, sent)]);
    expect(ours).toEqual(theirs);
    // Two servers that refuse everything would be alike, too.
    expect(theirs.status).toBe(status);
  }

  it.each<[string, string, string | undefined, number]>([
    ['no credential', '/api', undefined, 401],
    ['no credential, open path', '/livez', undefined, 200],
    ['no credential, open path of the API', OPEN[1] ?? '', undefined, 403],
    ['no credential, nearly an open path', '/livez/', undefined, 401],
    ['an unknown token', '/livez', 'Bearer nope', 401],
    ['Basic', '/livez', 'Basic YTpi', 200],
    ['Basic elsewhere', '/api', 'Basic YTpi', 401],
    ['Bearer alone', '/livez', 'Bearer', 200],
    ['two spaces', '/livez', 'Bearer  plain-token', 200],
    ['three spaces', '/livez', 'Bearer   plain-token', 200],
    ['two spaces and two words', '/livez', 'Bearer  a b', 200],
    ['a tab', '/livez', 'Bearer\tplain-token', 200],
    ['two words', '/api', 'bearer plain-token x', 200],
  ])('%s', async (_what, path, authorization, status) => {
    const shown = await Promise.all(
      [real.url, own.url].map((url) =>
        send(url, { path, headers: authorization === undefined ? {} : { authorization } }),
      ),
    );
    const heads = shown.map(({ body: _body, ...head }) => head);
    expect(heads[1]).toEqual(heads[0]);
    expect(heads[0]?.status).toBe(status);
  });

  it.each<[string, () => Omit<Sent, 'path'>, number]>([
    ['a static token', () => ({ headers: bearer('plain-token') }), 201],
    ['a certificate', () => ({ client: users.client('/O=devs/O=ops/CN=bob/UID=u-1') }), 201],
    ['a certificate and a bad token', () => ({ client: users.client('/CN=bob'), headers: bearer('nope') }), 201],
    [
      'a bad certificate and a token',
      () => ({ client: others.client('/CN=bob'), headers: bearer('plain-token') }),
      201,
    ],
    ['a bad certificate', () => ({ client: others.client('/CN=bob') }), 401],
    ['a certificate for servers', () => ({ client: users.server() }), 401],
    ['a certificate of the unauthenticated', () => ({ client: users.client('/O=system:unauthenticated/CN=x') }), 403],
    ['a certificate of anonymous', () => ({ client: users.client('/CN=system:anonymous') }), 403],
    [
      'a front proxy',
      () => ({
        client: proxies.client('/CN=proxy'),
        headers: {
          'x-remote-user': 'zed',
          'x-remote-group': ['a', 'b'],
          'x-remote-uid': '9',
          'X-Remote-Extra-Acme.Com%2FKey': ['v', 'w'],
        },
      }),
      201,
    ],
    [
      'a front proxy by its second header',
      () => ({ client: proxies.client('/CN=proxy'), headers: { 'x-who': 'z' } }),
      201,
    ],
    ['another front proxy', () => ({ client: proxies.client('/CN=other'), headers: { 'x-remote-user': 'z' } }), 401],
    ['a front proxy of nobody', () => ({ client: proxies.client('/CN=proxy') }), 401],
    [
      'headers beside a certificate',
      () => ({ client: users.client('/CN=bob'), headers: { 'x-remote-user': 'z' } }),
      201,
    ],
    ['headers beside a token', () => ({ headers: { 'x-remote-user': 'z', ...bearer('plain-token') } }), 201],
    ...Object.keys(SECRET_DATA).map((id): [string, () => Omit<Sent, 'path'>, number] => [
      `the bootstrap token ${id}`,
      () => ({ headers: bearer(`${id}.${BOOTSTRAP}`) }),
      id === 'aaaaaa' ? 201 : 401,
    ]),
    ['a wrong bootstrap token', () => ({ headers: bearer('aaaaaa.0123456789abcdee') }), 401],
  ])('%s', async (_what, shown, status) => alike(whoIs(shown()), status));

  it.each<[string, number]>([
    ['good', 201],
    ['nobody', 201],
    ['evil', 401],
    ['system', 401],
    ['other audience', 401],
    ['second', 401],
    ['cut', 401],
    ['payload', 401],
    ['HS256', 401],
    ['expired', 401],
    ['unknown key', 401],
    ['unknown issuer', 401],
    ['two parts', 401],
  ])('a token of a provider: %s', async (what, status) => {
    const token = tokens[what] ?? expect.fail();
    await alike(whoIs({ headers: bearer(token) }), status);
    await alike(review(token), 201);
  });

  it('a review for other audiences', () => alike(review(tokens['good'] ?? '', { audiences: ['nobody'] }), 201));
});

function configurationOf(first: OidcIssuer, second: OidcIssuer): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: first.url,
          certificateAuthority: first.ca,
          audiences: [OIDC_CLIENT.id, 'x'],
          audienceMatchPolicy: 'MatchAny',
        },
        claimValidationRules: [{ expression: "claims.sub != 'evil'", message: 'evil may not' }],
        claimMappings: {
          username: { expression: "'o:' + claims.sub" },
          groups: { expression: 'claims.groups' },
          uid: { claim: 'sub' },
          extra: [
            { key: 'example.com/aud', valueExpression: 'claims.aud' },
            { key: 'example.com/none', valueExpression: "''" },
          ],
        },
        userValidationRules: [
          { expression: "!user.groups.exists(g, g.startsWith('system:'))", message: 'no system groups' },
        ],
      },
      {
        issuer: { url: second.url, certificateAuthority: second.ca, audiences: [OIDC_CLIENT.id] },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'z' }],
        claimMappings: { username: { claim: 'sub', prefix: '' } },
      },
    ],
    anonymous: { enabled: true, conditions: OPEN.map((path) => ({ path })) },
  });
}

/** The bootstrap tokens of a server. */
async function fill(url: string): Promise<void> {
  for (const [id, odd] of Object.entries(SECRET_DATA)) {
    const stringData = {
      'token-id': id,
      'token-secret': BOOTSTRAP,
      'usage-bootstrap-authentication': 'true',
      ...odd,
    };
    const body = { metadata: { name: `bootstrap-token-${id}` }, type: 'bootstrap.kubernetes.io/token', stringData };
    const sent = { method: 'POST', path: SECRETS, headers: { authorization: `Bearer ${ADMIN}` }, body };
    // kube-apiserver makes its namespaces a moment after it is ready.
    await accepted(url, sent);
  }
}

/** Asks until it is answered with 201. */
async function accepted(url: string, sent: Sent): Promise<void> {
  await vi.waitFor(async () => expect((await send(url, sent)).status).toBe(201), { timeout: 60_000, interval: 500 });
}

/** Real tokens, and what forgers make of one. */
async function newTokens(first: OidcIssuer, second: OidcIssuer): Promise<Record<string, string>> {
  const ann = { name: 'ann', groups: ['devs'] };
  const good = await first.idToken(ann);
  const [head = '', payload = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const changed = (more: object): string => [head, part({ ...claims, ...more }), signature].join('.');
  return {
    good,
    nobody: await first.idToken({ name: 'nobody' }),
    evil: await first.idToken({ name: 'evil' }),
    system: await first.idToken({ name: 'sys', groups: ['system:masters'] }),
    'other audience': await first.idToken(ann, OTHER_CLIENT),
    second: await second.idToken(ann),
    cut: good.slice(0, -4),
    payload: changed({ sub: 'root' }),
    HS256: [part({ alg: 'HS256' }), payload, signature].join('.'),
    expired: changed({ exp: 1 }),
    'unknown key': [part({ alg: 'RS256', kid: 'x' }), payload, signature].join('.'),
    'unknown issuer': changed({ iss: 'https://x' }),
    'two parts': `${head}.${payload}`,
  };
}
