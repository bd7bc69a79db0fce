/** Every option of `listwatch serve`: its name, its kind, its default and its help. Start here. */

import { AUDIT_OPTIONS, type AuditSettings } from './access/audit-flags.ts';
import { AUTHENTICATION_OPTIONS, type AuthenticationSettings } from './access/authentication-options.ts';
import { AUTHORIZATION_OPTIONS, type AuthorizationSettings } from './access/authorization-options.ts';
import { type OptionSpec, optionName } from './option-spec.ts';
import {
  age,
  type ConsoleChoice,
  consolePlace,
  controllerNames,
  duration,
  etcdEndpoints,
  etcdKeyPrefix,
  ipAddressValue,
  listOfTexts,
  nonEmpty,
  oneOfWords,
  port,
  reachableAddress,
  resourceSizes,
  serviceRanges,
  trueOrFalse,
  verbosity,
  wholeNumber,
} from './value-kind.ts';

/** Where objects are kept. */
export type StorageChoice = 'lmdb' | 'memory' | 'etcd';

/** How log lines look. */
export type LogFormat = 'text' | 'json';

/** What the page of the console may do. */
export type ConsoleAccess = 'read' | 'write';

/** The values of all options; undefined where nobody said anything and that has a meaning. Times are in milliseconds. */
export interface ServeSettings extends AuditSettings, AuthenticationSettings, AuthorizationSettings {
  readonly port: number;
  readonly bindAddress: string;
  readonly advertiseAddress: string | undefined;
  readonly insecurePort: number | undefined;
  /** 0: this process answers everything. */
  readonly readers: number;
  readonly console: ConsoleChoice;
  readonly consoleAccess: ConsoleAccess;
  readonly data: string;
  readonly storage: StorageChoice;
  /** Undefined: the engine's own default. */
  readonly history: number | undefined;
  readonly eventTtl: number;
  readonly serviceClusterIpRange: readonly string[];
  readonly etcdServers: readonly string[];
  readonly etcdPrefix: string;
  readonly etcdCafile: string | undefined;
  readonly etcdCertfile: string | undefined;
  readonly etcdKeyfile: string | undefined;
  readonly etcdUsername: string | undefined;
  readonly etcdPasswordFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly kubeletCertificateAuthority: string | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** The first one issues tokens, all are accepted. */
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountKeyFile: readonly string[];
  readonly apiAudiences: readonly string[];
  readonly kubeconfigOut: string | undefined;
  readonly controllers: readonly string[];
  readonly crds: string | undefined;
  readonly defaultWatchCacheSize: number;
  readonly watchCacheSizes: Readonly<Record<string, number>>;
  readonly minRequestTimeout: number;
  readonly requestTimeout: number;
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly shutdownDelayDuration: number;
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  readonly verbosity: number;
}

/** One entry for each setting: the compiler asks for a new one's. */
export type ServeOptions = { readonly [K in keyof ServeSettings]: OptionSpec<ServeSettings[K]> };

/** As kube-apiserver, where it has the option. */
export const SERVE_OPTIONS: ServeOptions = {
  port: {
    group: 'Listening',
    value: 'PORT',
    help: 'HTTPS port for HTTP/1.1, HTTP/2 and WebSocket; 0 takes any free one',
    kind: port(),
    fallback: 6443,
  },
  bindAddress: {
    group: 'Listening',
    value: 'IP',
    help: 'address to listen on; 0.0.0.0 for all',
    kind: ipAddressValue(),
    fallback: '127.0.0.1',
  },
  advertiseAddress: {
    group: 'Listening',
    value: 'IP',
    help: 'address of the Service kubernetes: where other machines reach this server',
    kind: reachableAddress(),
    fallback: undefined,
    fallbackText: 'that of --bind-address; of an interface when that is local',
  },
  insecurePort: {
    group: 'Listening',
    value: 'PORT',
    help: 'a second port without TLS, on 127.0.0.1 only; callers still need a token',
    kind: port(),
    fallback: undefined,
    fallbackText: 'off',
  },
  readers: {
    group: 'Listening',
    value: 'N',
    help: 'processes that answer gets, lists and watches beside the one that writes; 0 for one process',
    kind: wholeNumber(0, 64),
    fallback: 0,
  },
  console: {
    group: 'Console',
    value: 'WHERE',
    help: 'the web page: on, off, a port of 127.0.0.1, or IP:PORT (plain HTTP: keep it off other networks)',
    kind: consolePlace(),
    fallback: { type: 'on' },
    fallbackText: 'on: 127.0.0.1:6480, or any free port',
  },
  consoleAccess: {
    group: 'Console',
    value: 'ACCESS',
    help: 'what the page may do: read or write',
    kind: oneOfWords<ConsoleAccess>('read', 'write'),
    fallback: 'read',
  },
  data: {
    group: 'Storage',
    value: 'DIR',
    help: 'folder of the store, the certificates (pki/) and the kubeconfig; made when missing',
    kind: nonEmpty('a folder'),
    fallback: './.listwatch',
  },
  storage: {
    group: 'Storage',
    value: 'ENGINE',
    help: 'lmdb (durable, in the data folder), memory (gone at the end) or etcd',
    kind: oneOfWords<StorageChoice>('lmdb', 'memory', 'etcd'),
    fallback: 'lmdb',
    fallbackText: 'lmdb; etcd when --etcd-servers is given',
  },
  history: {
    group: 'Storage',
    value: 'AGE',
    help: 'how far back a watch can resume and a list can read',
    kind: age(),
    fallback: undefined,
    fallbackText: '24h; 5m with etcd',
  },
  eventTtl: {
    group: 'Storage',
    value: 'TIME',
    help: 'how long Events live after their last change',
    kind: duration({ least: 1000 }),
    fallback: 3_600_000,
    fallbackText: '1h',
  },
  serviceClusterIpRange: {
    group: 'Services',
    value: 'CIDRS',
    help: 'what Services get their addresses from: one range, or one of IPv4 and one of IPv6, the primary first',
    kind: serviceRanges(),
    fallback: [],
    fallbackText: 'that of the store; 10.96.0.0/12 for a new one',
  },
  etcdServers: {
    group: 'etcd',
    value: 'URLS',
    help: 'members of the cluster, separated by commas',
    kind: etcdEndpoints(),
    fallback: [],
  },
  etcdPrefix: {
    group: 'etcd',
    value: 'PREFIX',
    help: 'what all keys begin with',
    kind: etcdKeyPrefix(),
    fallback: '/listwatch',
  },
  etcdCafile: {
    group: 'etcd',
    value: 'FILE',
    help: "authority that signed etcd's certificate, PEM",
    kind: nonEmpty('a file'),
    fallback: undefined,
    fallbackText: "Node's own list",
  },
  etcdCertfile: {
    group: 'etcd',
    value: 'FILE',
    help: 'client certificate for etcd, PEM; needs --etcd-keyfile',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  etcdKeyfile: {
    group: 'etcd',
    value: 'FILE',
    help: 'its private key, PEM',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  etcdUsername: {
    group: 'etcd',
    value: 'NAME',
    help: 'user of etcd; needs --etcd-password-file',
    kind: nonEmpty('a name'),
    fallback: undefined,
  },
  etcdPasswordFile: {
    group: 'etcd',
    value: 'FILE',
    help: "file with that user's password",
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  tokenAuthFile: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: 'bearer tokens, one a line: token,user,uid,"group,group"',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  clientCaFile: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: "another authority for client certificates, PEM, besides the server's own",
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  kubeletCertificateAuthority: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: 'the authority of the certificates of kubelets, PEM; without it any certificate is taken',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  tlsCertFile: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: "the server's certificate with its chain, PEM; needs --tls-private-key-file",
    kind: nonEmpty('a file'),
    fallback: undefined,
    fallbackText: 'made in the data folder',
  },
  tlsPrivateKeyFile: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: 'its private key, PEM',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  serviceAccountIssuer: {
    group: 'Authentication and TLS',
    value: 'ISSUERS',
    help: 'who issues service account tokens, separated by commas: the first issues, all are accepted',
    kind: listOfTexts('issuers such as https://kubernetes.default.svc'),
    fallback: [],
    fallbackText: 'https://kubernetes.default.svc',
  },
  serviceAccountSigningKeyFile: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: 'the private key that signs service account tokens, PEM',
    kind: nonEmpty('a file'),
    fallback: undefined,
    fallbackText: 'made in the data folder',
  },
  serviceAccountKeyFile: {
    group: 'Authentication and TLS',
    value: 'FILES',
    help: 'more keys whose tokens are accepted, PEM, public or private; files are separated by commas',
    kind: listOfTexts('files'),
    fallback: [],
  },
  apiAudiences: {
    group: 'Authentication and TLS',
    value: 'NAMES',
    help: 'audiences of service account tokens that are accepted, separated by commas',
    kind: listOfTexts('audiences'),
    fallback: [],
    fallbackText: 'the issuers',
  },
  kubeconfigOut: {
    group: 'Authentication and TLS',
    value: 'FILE',
    help: 'write the kubeconfig here as well; a file with other clusters in it is left alone',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  ...AUTHENTICATION_OPTIONS,
  ...AUTHORIZATION_OPTIONS,
  ...AUDIT_OPTIONS,
  controllers: {
    group: 'Controllers',
    value: 'NAMES',
    help: '* for all, name for one, -name for all but one, -* for none',
    kind: controllerNames(),
    fallback: ['*'],
    fallbackText: '*',
  },
  crds: {
    group: 'Controllers',
    value: 'DIR',
    help: 'install the CRDs in this folder, or file, and follow its changes',
    kind: nonEmpty('a folder'),
    fallback: undefined,
  },
  defaultWatchCacheSize: {
    group: 'Watch cache',
    value: 'EVENTS',
    help: 'changes of each resource that stay in memory at least; it grows as needed',
    kind: wholeNumber(0, 10_000_000),
    fallback: 100,
  },
  watchCacheSizes: {
    group: 'Watch cache',
    value: 'SIZES',
    help: 'the same for single resources, with their group if they have one: pods#1000,deployments.apps#500',
    kind: resourceSizes(),
    fallback: {},
  },
  minRequestTimeout: {
    group: 'Limits',
    value: 'TIME',
    help: 'a watch that asks for no time ends after one to two times this',
    kind: duration({ least: 1, bareUnit: 's' }),
    fallback: 1_800_000,
    fallbackText: '30m',
  },
  requestTimeout: {
    group: 'Limits',
    value: 'TIME',
    help: 'how long any other request may take',
    kind: duration({ least: 1 }),
    fallback: 60_000,
    fallbackText: '1m',
  },
  enablePriorityAndFairness: {
    group: 'Limits',
    value: 'BOOL',
    help: 'be fair to every user by FlowSchemas and priority levels; false: the next two are limits of their own',
    kind: trueOrFalse(),
    fallback: true,
    fallbackText: 'true',
  },
  maxRequestsInflight: {
    group: 'Limits',
    value: 'N',
    help: 'reads at one time, added to the seats of all levels; 0 for no limit',
    kind: wholeNumber(0),
    fallback: 400,
  },
  maxMutatingRequestsInflight: {
    group: 'Limits',
    value: 'N',
    help: 'writes at one time, added to the seats of all levels; 0 for no limit',
    kind: wholeNumber(0),
    fallback: 200,
  },
  shutdownDelayDuration: {
    group: 'Limits',
    value: 'TIME',
    help: 'how long to go on serving after SIGTERM, with /readyz failing',
    kind: duration(),
    fallback: 0,
    fallbackText: '0s',
  },
  logFormat: {
    group: 'Output',
    value: 'FORMAT',
    help: 'text or json',
    kind: oneOfWords<LogFormat>('text', 'json'),
    fallback: undefined,
    fallbackText: 'text on a terminal, json elsewhere',
  },
  verbosity: {
    group: 'Output',
    value: 'LEVEL',
    short: 'v',
    help: '0 says what matters, 1 and more also how it got there',
    kind: verbosity(),
    fallback: 0,
  },
};

/** The settings, in the order of the help. */
export const SETTING_NAMES: readonly (keyof ServeSettings)[] = Object.keys(SERVE_OPTIONS).filter(isSettingName);

/** Is this the name of a setting? */
export function isSettingName(name: string): name is keyof ServeSettings {
  return Object.hasOwn(SERVE_OPTIONS, name);
}

/** `bindAddress` in the environment: `LISTWATCH_BIND_ADDRESS`. */
export function variableName(name: string): string {
  return `LISTWATCH_${optionName(name).replaceAll('-', '_').toUpperCase()}`;
}
