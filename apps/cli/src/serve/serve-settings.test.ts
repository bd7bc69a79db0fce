import { describe, expect, it } from 'vitest';
import { optionName } from './option-spec.ts';
import { SERVE_OPTIONS, SETTING_NAMES, type ServeSettings, variableName } from './serve-options.ts';
import { type OptionSources, resolveSettings } from './serve-settings.ts';

/** For each option: two texts with their values, a wrong one (default: nothing), and what must be given with it. */
type Row<T> = {
  readonly one: readonly [string, T];
  readonly other: readonly [string, T];
  readonly wrong?: string;
  readonly with?: Readonly<Record<string, string>>;
};

const OIDC = { 'oidc-issuer-url': 'https://a', 'oidc-client-id': 'k' };
const WEBHOOK_MODE = { 'authorization-mode': 'RBAC,Webhook' };
const PROXY = { 'requestheader-client-ca-file': 'a' };

const TABLE: { readonly [K in keyof ServeSettings]: Row<ServeSettings[K]> } = {
  port: { one: ['0', 0], other: ['7443', 7443], wrong: '70000' },
  bindAddress: { one: ['0.0.0.0', '0.0.0.0'], other: ['::1', '::1'], wrong: 'localhost' },
  advertiseAddress: { one: ['10.0.0.5', '10.0.0.5'], other: ['fd00::5', 'fd00::5'], wrong: '127.0.0.1' },
  insecurePort: { one: ['8080', 8080], other: ['0', 0], wrong: 'off' },
  readers: { one: ['2', 2], other: ['0', 0], wrong: '65' },
  console: {
    one: ['off', { type: 'off' }],
    other: ['[::1]:7000', { type: 'at', address: '::1', port: 7000 }],
    wrong: 'localhost:7000',
  },
  consoleAccess: { one: ['read', 'read'], other: ['write', 'write'], wrong: 'admin' },
  data: { one: ['a', 'a'], other: ['/b', '/b'] },
  storage: { one: ['memory', 'memory'], other: ['lmdb', 'lmdb'], wrong: 'sqlite' },
  history: { one: ['24h', 86_400_000], other: ['7d', 604_800_000], wrong: 'long' },
  eventTtl: { one: ['1h', 3_600_000], other: ['90s', 90_000], wrong: '1ms' },
  serviceClusterIpRange: {
    one: ['10.0.0.0/16,fd00::/112', ['10.0.0.0/16', 'fd00::/112']],
    other: ['fd00::/112', ['fd00::/112']],
    wrong: '10.0.0.0/16,10.1.0.0/16',
  },
  etcdServers: { one: ['http://a:1', ['http://a:1']], other: ['http://b:1', ['http://b:1']], wrong: 'a:1' },
  etcdPrefix: { one: ['/a', '/a'], other: ['/b/', '/b'], wrong: 'a', with: { 'etcd-servers': 'http://a:1' } },
  etcdCafile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'etcd-servers': 'http://a:1' } },
  etcdCertfile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'etcd-servers': 'http://a:1', 'etcd-keyfile': 'k' } },
  etcdKeyfile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'etcd-servers': 'http://a:1', 'etcd-certfile': 'k' } },
  etcdUsername: {
    one: ['a', 'a'],
    other: ['b', 'b'],
    with: { 'etcd-servers': 'http://a:1', 'etcd-password-file': 'f' },
  },
  etcdPasswordFile: {
    one: ['a', 'a'],
    other: ['b', 'b'],
    with: { 'etcd-servers': 'http://a:1', 'etcd-username': 'u' },
  },
  tokenAuthFile: { one: ['a', 'a'], other: ['b', 'b'] },
  clientCaFile: { one: ['a', 'a'], other: ['b', 'b'] },
  kubeletCertificateAuthority: { one: ['a', 'a'], other: ['b', 'b'] },
  tlsCertFile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'tls-private-key-file': 'k' } },
  tlsPrivateKeyFile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'tls-cert-file': 'c' } },
  serviceAccountIssuer: {
    one: ['https://a,https://b', ['https://a', 'https://b']],
    other: ['https://c', ['https://c']],
    wrong: '',
  },
  serviceAccountSigningKeyFile: { one: ['a', 'a'], other: ['b', 'b'], wrong: '' },
  serviceAccountKeyFile: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], wrong: '' },
  apiAudiences: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], wrong: '' },
  kubeconfigOut: { one: ['a', 'a'], other: ['b', 'b'] },
  anonymousAuth: { one: ['false', false], other: ['true', true], wrong: 'no' },
  enableBootstrapTokenAuth: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  endWatchesOnRevocation: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  authenticationConfig: { one: ['a', 'a'], other: ['b', 'b'] },
  oidcIssuerUrl: {
    one: ['https://a', 'https://a'],
    other: ['https://b', 'https://b'],
    with: { 'oidc-client-id': 'k' },
  },
  oidcClientId: { one: ['a', 'a'], other: ['b', 'b'], with: { 'oidc-issuer-url': 'https://a' } },
  oidcCaFile: { one: ['a', 'a'], other: ['b', 'b'], with: OIDC },
  oidcUsernameClaim: { one: ['a', 'a'], other: ['b', 'b'], with: OIDC },
  oidcUsernamePrefix: { one: ['a', 'a'], other: ['-', '-'], with: OIDC },
  oidcGroupsClaim: { one: ['a', 'a'], other: ['b', 'b'], with: OIDC },
  oidcGroupsPrefix: { one: ['a', 'a'], other: ['b', 'b'], with: OIDC },
  oidcSigningAlgs: { one: ['RS256,ES256', ['RS256', 'ES256']], other: ['ES384', ['ES384']], with: OIDC },
  oidcRequiredClaim: { one: ['a=b,c=d', { a: 'b', c: 'd' }], other: ['e=', { e: '' }], wrong: 'a', with: OIDC },
  authenticationTokenWebhookConfigFile: { one: ['a', 'a'], other: ['b', 'b'] },
  authenticationTokenWebhookVersion: { one: ['v1', 'v1'], other: ['v1beta1', 'v1beta1'], wrong: 'v2' },
  authenticationTokenWebhookCacheTtl: { one: ['10s', 10_000], other: ['0', 0], wrong: '10' },
  requestheaderClientCaFile: { one: ['a', 'a'], other: ['b', 'b'] },
  requestheaderAllowedNames: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], with: PROXY },
  requestheaderUsernameHeaders: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], with: PROXY },
  requestheaderUidHeaders: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], with: PROXY },
  requestheaderGroupHeaders: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], with: PROXY },
  requestheaderExtraHeadersPrefix: { one: ['a,b', ['a', 'b']], other: ['c', ['c']], with: PROXY },
  proxyClientCertFile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'proxy-client-key-file': 'k' } },
  proxyClientKeyFile: { one: ['a', 'a'], other: ['b', 'b'], with: { 'proxy-client-cert-file': 'c' } },
  authorizationMode: {
    one: ['RBAC', ['RBAC']],
    other: ['Node, AlwaysDeny, RBAC', ['Node', 'AlwaysDeny', 'RBAC']],
    wrong: 'ABAC',
  },
  authorizationConfig: { one: ['a', 'a'], other: ['b', 'b'] },
  authorizationWebhookConfigFile: { one: ['a', 'a'], other: ['b', 'b'], with: WEBHOOK_MODE },
  authorizationWebhookVersion: { one: ['v1', 'v1'], other: ['v1beta1', 'v1beta1'], wrong: 'v2' },
  authorizationWebhookCacheAuthorizedTtl: { one: ['10s', 10_000], other: ['0', 0], wrong: '10' },
  authorizationWebhookCacheUnauthorizedTtl: { one: ['10s', 10_000], other: ['0', 0], wrong: '10' },
  crds: { one: ['a', 'a'], other: ['b', 'b'] },
  enableAdmissionPlugins: {
    one: ['NodeRestriction', ['NodeRestriction']],
    other: ['PodSecurity, LimitRanger', []],
    wrong: 'NodeRestriction,ServiceAccount',
  },
  auditPolicyFile: { one: ['/a.yaml', '/a.yaml'], other: ['/b.yaml', '/b.yaml'] },
  auditLogPath: { one: ['/a.log', '/a.log'], other: ['-', '-'] },
  auditLogFormat: { one: ['legacy', 'legacy'], other: ['json', 'json'], wrong: 'yaml' },
  auditLogMode: { one: ['batch', 'batch'], other: ['blocking-strict', 'blocking-strict'], wrong: 'strict' },
  auditLogMaxsize: { one: ['7', 7], other: ['8', 8], wrong: 'x' },
  auditLogMaxage: { one: ['7', 7], other: ['8', 8], wrong: 'x' },
  auditLogMaxbackup: { one: ['7', 7], other: ['8', 8], wrong: 'x' },
  auditLogCompress: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  auditLogBatchBufferSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditLogTruncateEnabled: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  auditLogTruncateMaxEventSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookConfigFile: { one: ['/a.yaml', '/a.yaml'], other: ['/b.yaml', '/b.yaml'] },
  auditWebhookMode: { one: ['blocking', 'blocking'], other: ['blocking-strict', 'blocking-strict'], wrong: 'strict' },
  auditWebhookInitialBackoff: { one: ['5s', 5000], other: ['1m', 60_000], wrong: 'soon' },
  auditWebhookBatchBufferSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookBatchMaxSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookBatchMaxWait: { one: ['5s', 5000], other: ['1m', 60_000], wrong: 'soon' },
  auditWebhookBatchThrottleEnable: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  auditWebhookBatchThrottleQps: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookBatchThrottleBurst: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookTruncateEnabled: { one: ['true', true], other: ['false', false], wrong: 'yes' },
  auditWebhookTruncateMaxEventSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  auditWebhookTruncateMaxBatchSize: { one: ['7', 7], other: ['8', 8], wrong: '0' },
  controllers: { one: ['-*', ['-*']], other: ['*, -namespace', ['*', '-namespace']], wrong: 'Namespace' },
  defaultWatchCacheSize: { one: ['1', 1], other: ['5000', 5000], wrong: '-1' },
  watchCacheSizes: { one: ['pods#1', { pods: 1 }], other: ['pods#2', { pods: 2 }], wrong: 'pods:1' },
  minRequestTimeout: { one: ['1800', 1_800_000], other: ['1m', 60_000], wrong: '-1' },
  requestTimeout: { one: ['30s', 30_000], other: ['1m', 60_000], wrong: '30' },
  enablePriorityAndFairness: { one: ['true', true], other: ['false', false], wrong: 'maybe' },
  maxRequestsInflight: { one: ['0', 0], other: ['10', 10], wrong: 'many' },
  maxMutatingRequestsInflight: { one: ['0', 0], other: ['10', 10], wrong: '-5' },
  shutdownDelayDuration: { one: ['0s', 0], other: ['10s', 10_000], wrong: '10' },
  logFormat: { one: ['json', 'json'], other: ['text', 'text'], wrong: 'xml' },
  verbosity: { one: ['2', 2], other: ['=6', 6], wrong: 'loud' },
};

/** Options by their written names, as flags. */
function asFlags(options: Readonly<Record<string, string>>): OptionSources['flags'] {
  const names = new Map(SETTING_NAMES.map((name) => [optionName(name), name]));
  return Object.fromEntries(Object.entries(options).map(([name, text]) => [names.get(name) ?? name, text]));
}

function resolve(sources: Partial<OptionSources>): ReturnType<typeof resolveSettings> {
  return resolveSettings({ flags: {}, env: {}, ...sources });
}

function fileOf(options: OptionSources['flags']): Partial<OptionSources> {
  return { flags: { config: 'some.yaml' }, readFile: () => options };
}

/** A file that tells its own name. */
function dataFrom(path: string): OptionSources['flags'] {
  return { data: path };
}

describe.each(SETTING_NAMES)('the option %s', (name) => {
  const { one, other, wrong = '', with: company = {} } = TABLE[name];
  const others = asFlags(company);
  const variable = variableName(name);

  it('has a default', () => {
    expect(resolve({}).settings[name]).toEqual(SERVE_OPTIONS[name].fallback);
    expect(resolve({}).sources[name]).toBe('default');
  });

  it('is taken from a flag, a variable and the file', () => {
    const found = [
      resolve({ flags: { ...others, [name]: one[0] } }),
      resolve({ flags: others, env: { [variable]: one[0] } }),
      resolve(fileOf({ ...others, [name]: one[0] })),
    ];
    expect(found.map(({ settings }) => settings[name])).toEqual([one[1], one[1], one[1]]);
    expect(found.map(({ sources }) => sources[name])).toEqual(['flag', 'environment', 'file']);
  });

  it('is decided by the flag before the variable, and by the variable before the file', () => {
    const env = { [variable]: one[0] };
    expect(resolve({ flags: { ...others, [name]: other[0] }, env }).settings[name]).toEqual(other[1]);
    expect(resolve({ ...fileOf({ ...others, [name]: other[0] }), env }).settings[name]).toEqual(one[1]);
  });

  it('that is wrong is named with what was given and what is expected', () => {
    const rest = `must be ${SERVE_OPTIONS[name].kind.expected}, got ${JSON.stringify(wrong)}`;
    const option = `--${optionName(name)}`;
    expect(() => resolve({ flags: { ...others, [name]: wrong } })).toThrow(`${option} ${rest}`);
    // An empty variable is one that was not set.
    if (wrong !== '')
      expect(() => resolve({ flags: others, env: { [variable]: wrong } })).toThrow(`${option} (${variable}) ${rest}`);
    expect(() => resolve(fileOf({ ...others, [name]: wrong }))).toThrow(`${option} (some.yaml) ${rest}`);
  });
});

describe('options together', () => {
  it.each([
    [{ oidcUsernameClaim: 'email' }, '--oidc-issuer-url must be given with --oidc-username-claim'],
    [{ oidcIssuerUrl: 'https://a' }, '--oidc-client-id must be given with --oidc-issuer-url'],
    [
      { authenticationConfig: 'f', oidcIssuerUrl: 'https://a', oidcClientId: 'b' },
      '--oidc-issuer-url must not be given with --authentication-config',
    ],
    [
      { requestheaderAllowedNames: 'a' },
      '--requestheader-client-ca-file must be given with --requestheader-allowed-names',
    ],
    [
      { authorizationConfig: 'f', authorizationMode: 'RBAC' },
      '--authorization-mode must not be given with --authorization-config',
    ],
    [
      { authorizationConfig: 'f', authorizationWebhookVersion: 'v1' },
      '--authorization-webhook-version must not be given with --authorization-config',
    ],
    [
      { authorizationMode: 'Webhook' },
      '--authorization-webhook-config-file must be given with --authorization-mode Webhook',
    ],
    [
      { authorizationWebhookConfigFile: 'f' },
      '--authorization-webhook-config-file must go with --authorization-mode Webhook',
    ],
  ])('%j is refused: %s', (flags, problem) => expect(() => resolve({ flags })).toThrow(problem));

  it('an empty variable is one that was not set', () => {
    expect(resolve({ env: { LISTWATCH_PORT: '' } }).settings.port).toBe(6443);
  });

  it('an empty flag is a wrong value', () => {
    expect(() => resolve({ flags: { data: '' } })).toThrow('--data must be a folder, got ""');
  });

  it('the file can be named by a variable, and a flag names another', () => {
    expect(resolve({ env: { LISTWATCH_CONFIG: 'a.yaml' }, readFile: dataFrom }).settings.data).toBe('a.yaml');
    const both = { flags: { config: 'b.yaml' }, env: { LISTWATCH_CONFIG: 'a.yaml' }, readFile: dataFrom };
    expect(resolve(both).settings.data).toBe('b.yaml');
  });

  it("etcd's servers imply etcd, unless another storage was chosen elsewhere", () => {
    const flags = { etcdServers: 'http://a:1' };
    expect(resolve({ flags }).settings.storage).toBe('etcd');
    expect(resolve({ ...fileOf(flags), env: { LISTWATCH_STORAGE: 'memory' } }).settings.storage).toBe('memory');
  });

  it.each<[OptionSources['flags'], string]>([
    [{ storage: 'etcd' }, '--etcd-servers must be given with --storage etcd, got none'],
    [{ storage: 'lmdb', etcdServers: 'http://a:1' }, '--etcd-servers must go with --storage etcd, got --storage lmdb'],
    [{ etcdPrefix: '/a' }, '--etcd-prefix must go with --storage etcd, got --storage lmdb'],
    [{ tlsCertFile: 'a' }, '--tls-private-key-file must be given with --tls-cert-file, got only --tls-cert-file'],
    [{ tlsPrivateKeyFile: 'a' }, '--tls-cert-file must be given with --tls-private-key-file'],
    [{ etcdServers: 'http://a:1', etcdCertfile: 'a' }, '--etcd-keyfile must be given with --etcd-certfile'],
    [{ etcdServers: 'http://a:1', etcdUsername: 'a' }, '--etcd-password-file must be given with --etcd-username'],
  ])('%j is refused', (flags, message) => {
    expect(() => resolve({ flags })).toThrow(message);
  });
});
