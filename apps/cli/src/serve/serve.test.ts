import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiServer, ApiServerOptions } from '@listwatch/server';
import { StorageError } from '@listwatch/storage';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import type { RawOptions } from './config-file.ts';
import { serve } from './serve.ts';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

const newFolder = temporaryFolders();

/** A stand-in for the server: it says what it was given, and closes when the test lets it. */
class StandIn {
  given: ApiServerOptions | undefined;
  closes = 0;
  letClose: () => void = () => {};
  readonly #closed: Promise<void>;
  readonly #listen: () => Promise<void>;

  constructor(options: { readonly slow?: boolean; readonly listen?: () => Promise<void> } = {}) {
    this.#listen = options.listen ?? (async () => {});
    this.#closed = new Promise((resolve) => {
      this.letClose = resolve;
    });
    if (options.slow !== true) this.letClose();
  }

  readonly create = (given: ApiServerOptions): ApiServer => {
    this.given = given;
    const close = (): Promise<void> => {
      this.closes += 1;
      return this.#closed;
    };
    return {
      start: async () => {},
      listen: this.#listen,
      handle: () => Promise.reject(new TypeError('this stand-in answers nothing')),
      requestListener: () => () => {},
      forgetChanges: async () => {},
      ownedKinds: { current: [], lastWrite: () => undefined, subscribe: () => () => {} },
      url: 'https://127.0.0.1:6443',
      insecureUrl: given.insecurePort === undefined ? undefined : 'http://127.0.0.1:8080',
      close,
      [Symbol.asyncDispose]: close,
    };
  };
}

function start(
  flags: RawOptions,
  server = new StandIn(),
  options: Parameters<typeof fakeHost>[0] = {},
): { host: FakeHost; server: StandIn; ended: Promise<number> } {
  const host = fakeHost({ folder: newFolder(), ...options });
  return { host, server, ended: serve({ storage: 'memory', console: 'off', ...flags }, host, server.create) };
}

describe('listwatch serve', () => {
  it('hands its options to the server', async () => {
    const { host, server, ended } = start({
      port: '0',
      bindAddress: '::1',
      insecurePort: '8080',
      watchCacheSizes: 'pods#7',
      defaultWatchCacheSize: '9',
      eventTtl: '10m',
      serviceClusterIpRange: '10.8.0.0/16, fd00::/108',
      minRequestTimeout: '100',
      requestTimeout: '2s',
      enablePriorityAndFairness: 'false',
      maxRequestsInflight: '3',
      maxMutatingRequestsInflight: '0',
      shutdownDelayDuration: '5s',
      endWatchesOnRevocation: 'true',
      enableAdmissionPlugins: 'NodeRestriction',
    });
    await host.seen('Ready at');
    host.signal('SIGTERM');
    expect(await ended).toBe(0);
    expect(server.given).toMatchObject({
      host: '::1',
      port: 0,
      insecurePort: 8080,
      watchCacheSizes: { pods: 7 },
      defaultWatchCacheSize: 9,
      eventTtlMs: 600_000,
      serviceClusterIpRanges: ['10.8.0.0/16', 'fd00::/108'],
      minRequestTimeoutMs: 100_000,
      requestTimeoutMs: 2000,
      enablePriorityAndFairness: false,
      maxReadsInFlight: 3,
      maxMutatingInFlight: 0,
      shutdownDelayMs: 5000,
      endWatchesOnRevocation: true,
      admissionPlugins: ['NodeRestriction'],
    });
  });

  it('says one JSON line when it is ready, where nobody watches', async () => {
    const { host, ended } = start({});
    await host.seen('Ready at');
    const lines = host.written.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      url: 'https://127.0.0.1:6443',
      kubeconfig: join(host.folder, '.listwatch/kubeconfig'),
      next: 'KUBECONFIG=.listwatch/kubeconfig kubectl get namespaces',
      msg: 'Ready at https://127.0.0.1:6443. Try: KUBECONFIG=.listwatch/kubeconfig kubectl get namespaces',
    });
    host.signal('SIGTERM');
    await ended;
  });

  it('says one line of text when that is asked for', async () => {
    const { host, ended } = start({ logFormat: 'text' });
    await host.seen('Ready at');
    expect(host.written.stdout).toBe(
      'Ready at https://127.0.0.1:6443. Try: KUBECONFIG=.listwatch/kubeconfig kubectl get namespaces\n',
    );
    host.signal('SIGTERM');
    await ended;
  });

  it('shows a banner and colours on a terminal', async () => {
    const { host, ended } = start({}, new StandIn(), { terminal: true });
    await host.seen('Ready at');
    expect(host.written.stdout).toContain('\u001B[1mlistwatch\u001B[22m ');
    host.signal('SIGINT');
    await ended;
  });

  it('tells with -v which options were set, and where', async () => {
    const { host, ended } = start({ verbosity: '1' }, new StandIn(), { env: { LISTWATCH_PORT: '7443' } });
    await host.seen('Ready at');
    const lines = host.written.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ option: 'port', value: 7443, from: 'environment' }));
    expect(lines).toContainEqual(expect.objectContaining({ option: 'storage', value: 'memory', from: 'flag' }));
    host.signal('SIGTERM');
    await ended;
  });

  it('logs a failure of the store in one line without a stack, and one that nobody foresaw with its stack', async () => {
    const { host, server, ended } = start({});
    await host.seen('Ready at');
    const request = { method: '', target: 'storage', auditId: '' };
    server.given?.onError?.(new StorageError('DISK_FULL', 'the disk is full: free some space'), request);
    server.given?.onError?.(new Error('a bug'), request);
    await host.seen('a bug');
    const lines = host.written.stdout.trimEnd().split('\n').slice(-2);
    const [expected, unforeseen] = lines.map((line) => JSON.parse(line));
    expect(expected).toMatchObject({ level: 'error', code: 'DISK_FULL', msg: 'the disk is full: free some space' });
    expect(expected.err).toBeUndefined();
    expect(unforeseen.err).toMatchObject({ message: 'a bug', stack: expect.stringContaining('serve.test.ts') });
    host.signal('SIGTERM');
    await ended;
  });

  it('writes the kubeconfig to a second place, and tells about that one', async () => {
    const out = join(newFolder(), 'sub', 'config');
    const { host, ended } = start({ kubeconfigOut: out });
    await host.seen(`KUBECONFIG=${out}`);
    const written = [out, join(host.folder, '.listwatch/kubeconfig')].map((path) => readFileSync(path, 'utf8'));
    expect(written[0]).toBe(written[1]);
    expect(parseYaml(written[0] ?? '')['current-context']).toBe('listwatch');
    host.signal('SIGTERM');
    await ended;
  });

  it('drains on the first signal and ends at once on a second Ctrl-C', async () => {
    const { host, server, ended } = start({}, new StandIn({ slow: true }));
    await host.seen('Ready at');
    host.signal('SIGINT');
    await host.seen('ending');
    expect([host.exits, server.closes]).toEqual([[], 1]);
    host.signal('SIGINT');
    expect(host.exits).toEqual([130]);
    server.letClose();
    expect(await ended).toBe(0);
  });

  it('ends at once on a signal before it serves', async () => {
    const early = new StandIn({ listen: async () => host.signal('SIGTERM') });
    const { host, ended } = start({}, early);
    await host.seen('Ready at');
    expect(host.exits).toEqual([143]);
    host.signal('SIGTERM');
    await ended;
  });

  it('closes what it opened when it cannot listen', async () => {
    const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE', syscall: 'listen', port: 6443 });
    const { server, host, ended } = start({}, new StandIn({ listen: () => Promise.reject(taken) }));
    await expect(ended).rejects.toThrow('port 6443 on 127.0.0.1 is taken');
    expect(server.closes).toBe(1);
    await expect(server.given?.engine.revision()).rejects.toThrow('closed');
    expect(existsSync(join(host.folder, '.listwatch/kubeconfig'))).toBe(false);
  });

  it('authenticates by certificates, tokens of users and those of the file; other ways are switched on by flags', async () => {
    const { host, server, ended } = start({});
    await host.seen('Ready at');
    const { userTokenKey, ...options } = server.given?.authentication ?? {};
    expect(userTokenKey).toContain('EC PRIVATE KEY');
    expect(options).toMatchObject({ certificates: true, bootstrapTokens: false });
    const { jwt, webhook, requestHeader, anonymous, tokens } = options;
    expect([jwt, webhook, anonymous, tokens]).toEqual(Array.from({ length: 4 }));
    // The server's own certificate for backends, and nobody else.
    expect(requestHeader).toMatchObject({ allowedNames: ['front-proxy-client'] });
    expect(server.given?.aggregation?.proxyClient?.().cert).toContain('BEGIN CERTIFICATE');
    host.signal('SIGTERM');
    await ended;
  });
});
