import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  askEtcd,
  type EtcdProcess,
  needs,
  startEtcd,
  startTcpProxy,
  type TcpProxy,
  TestAuthority,
  type TestCertificatePair,
} from '@listwatch/conformance/parts';
import { WatchRecorder } from '@listwatch/conformance/storage';
import { requireCommitted, type StorageError } from '@listwatch/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authFromFiles, createEtcdEngine, type EtcdEngine, type EtcdEngineOptions, tlsFromFiles } from './index.ts';

/** An engine with a watch that runs: both must outlive each change of credentials. */
class WatchedEngine implements AsyncDisposable {
  readonly engine: EtcdEngine;
  readonly errors: StorageError[] = [];
  readonly #watch: WatchRecorder;
  #count = 0;

  constructor(options: EtcdEngineOptions, after: bigint) {
    const onCredentialsError = (error: StorageError): unknown => this.errors.push(error);
    this.engine = createEtcdEngine({ compaction: 'off', progressRequests: false, onCredentialsError, ...options });
    this.#watch = WatchRecorder.open(this.engine, { prefix: '', after });
  }

  /** A write works, and the watch delivers it. */
  async works(): Promise<void> {
    this.#count += 1;
    const key = `k${this.#count}`;
    // A connection that was cut a moment ago is found by a read, which is repeated; a write would be uncertain.
    await this.engine.get(key);
    const result = await this.engine.commit({ type: 'put', key, value: Buffer.from('v') });
    await this.#watch.reached(requireCommitted(result, key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch.stop();
    await this.engine.close();
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-rotation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function writePair(name: string, { cert, key }: TestCertificatePair): { readonly cert: string; readonly key: string } {
  return { cert: file(`${name}.crt`, cert), key: file(`${name}.key`, key) };
}

const WRONG = { username: 'user', password: 'wrong' };

describe('certificates that are replaced while the engine runs', needs('etcd'), () => {
  let etcd: EtcdProcess;
  let proxy: TcpProxy;
  let engine: WatchedEngine;
  const [old, next] = [new TestAuthority('old'), new TestAuthority('next')];

  beforeEach(async () => {
    const { cert, key } = writePair('etcd', old.server());
    etcd = await startEtcd({ tls: { cert, key, clientCa: file('clients.crt', old.ca) } });
    proxy = await startTcpProxy(etcd.port);
    const client = writePair('client', old.client('/CN=c'));
    const tls = tlsFromFiles({ caFile: file('ca.crt', old.ca), certFile: client.cert, keyFile: client.key });
    engine = new WatchedEngine({ endpoints: [proxy.endpoint.replace('http:', 'https:')], tls }, 1n);
    await engine.works();
  }, 60_000);
  afterEach(async () => {
    await engine[Symbol.asyncDispose]();
    await proxy.close();
    await etcd.stop();
  });

  it('the own one: etcd accepts only the next authority after a restart, and the engine shows the new one', async () => {
    writePair('client', next.client('/CN=c'));
    file('clients.crt', next.ca);
    await engine.works();
    await etcd.kill();
    await etcd.restart();
    await engine.works();
    expect(engine.errors).toEqual([]);
  }, 60_000);

  it("etcd's authority: both in the file, then the new one alone", async () => {
    file('ca.crt', `${old.ca}${next.ca}`);
    writePair('etcd', next.server());
    proxy.cut();
    await engine.works();
    file('ca.crt', next.ca);
    proxy.cut();
    await engine.works();
    // The authority of before is not trusted any more.
    writePair('etcd', old.server());
    proxy.cut();
    const refused = engine.engine.get('k', { signal: AbortSignal.timeout(1000) });
    await expect(refused).rejects.toThrow();
    writePair('etcd', next.server());
    await engine.works();
  }, 60_000);

  it('files that cannot be used leave the last good ones in use, and are reported once', async () => {
    file('client.key', '');
    for (let i = 0; i < 3; i += 1) {
      proxy.cut();
      await engine.works();
    }
    expect(engine.errors.map(({ message }) => message)).toEqual([
      `the TLS options for etcd cannot be used: ${join(folder, 'client.key')} holds no private key in PEM that can be read; ` +
        'new connections use the last ones that could be used',
    ]);
  }, 60_000);
});

describe('a password that is replaced while the engine runs', needs('etcd'), () => {
  let etcd: EtcdProcess;
  let engine: WatchedEngine;
  let proxy: TcpProxy;

  beforeAll(async () => {
    etcd = await startEtcd();
    for (const name of ['root', 'user']) {
      await askEtcd(etcd, 'auth/user/add', { name, password: 'first' });
      await askEtcd(etcd, 'auth/user/grant', { user: name, role: 'root' }).catch(async () => {
        await askEtcd(etcd, 'auth/role/add', { name: 'root' });
        await askEtcd(etcd, 'auth/user/grant', { user: name, role: 'root' });
      });
    }
    await askEtcd(etcd, 'auth/enable');
  }, 60_000);
  afterAll(() => etcd.stop());

  beforeEach(async () => {
    await setPassword('first');
    proxy = await startTcpProxy(etcd.port);
    const auth = authFromFiles({ username: 'user', passwordFile: file('password', 'first\n') });
    await using before = createEtcdEngine({ endpoints: [etcd.endpoint], auth, compaction: 'off' });
    engine = new WatchedEngine({ endpoints: [proxy.endpoint], auth }, await before.revision());
    await engine.works();
  });
  afterEach(async () => {
    await engine[Symbol.asyncDispose]();
    await proxy.close();
  });

  /** etcd forgets the tokens of the user when its password is set. */
  async function setPassword(password: string): Promise<void> {
    const { token } = Object(await askEtcd(etcd, 'auth/authenticate', { name: 'root', password: 'first' }));
    const answer = await fetch(`${etcd.endpoint}/v3/auth/user/changepw`, {
      method: 'POST',
      headers: { authorization: token },
      body: JSON.stringify({ name: 'user', password }),
    });
    expect(answer.status).toBe(200);
  }

  it('in the file first: the engine logs in with the old one until etcd knows the new one', async () => {
    file('password', 'second');
    // A token that is refused for another reason.
    await setPassword('first');
    proxy.cut();
    await engine.works();
    await setPassword('second');
    proxy.cut();
    await engine.works();
    expect(engine.errors).toEqual([]);
  }, 60_000);

  it('in etcd first: writes and the watch wait for the file', async () => {
    await setPassword('third');
    proxy.cut();
    const working = engine.works();
    const failed = vi.fn();
    working.catch(failed);
    // The write was refused and is tried again: nothing has reached the caller.
    await expect(engine.engine.get('k', { signal: AbortSignal.timeout(1500) })).rejects.toThrow(/timeout/u);
    expect(failed).not.toHaveBeenCalled();
    file('password', 'third');
    await working;
    expect(engine.errors.map(({ message }) => message)).toEqual([
      'etcd refuses the password of user; it is read again every second',
    ]);
  }, 60_000);

  it('a file that is emptied first leaves the last good one in use, and is reported once', async () => {
    file('password', '');
    for (let i = 0; i < 3; i += 1) {
      await setPassword('first');
      await engine.works();
    }
    expect(engine.errors.map(({ message }) => message)).toEqual([
      `the password for etcd cannot be used: ${join(folder, 'password')} is empty; the engine logs in with the last one that etcd accepted`,
    ]);
  }, 60_000);

  it('a password that was never right fails at once, also where it can be replaced', async () => {
    const auth = (): typeof WRONG => ({ ...WRONG, password: etcd.name });
    await using wrong = createEtcdEngine({
      endpoints: [etcd.endpoint],
      auth,
      compaction: 'off',
      requestTimeout: '60s',
    });
    await expect(wrong.get('k')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(wrong.watch('', { after: 1n })[Symbol.asyncIterator]().next()).rejects.toThrow(
      /authentication failed/u,
    );
  }, 30_000);

  it('a refused one is not shown to etcd again for a second, however many calls there are', async () => {
    await setPassword('fourth');
    let reads = 0;
    const auth = (): typeof WRONG => {
      reads += 1;
      return WRONG;
    };
    await using wrong = createEtcdEngine({ endpoints: [proxy.endpoint], auth, compaction: 'off' });
    await expect(wrong.get('k')).rejects.toThrow(/authentication failed/u);
    const before = proxy.downstreamBytes;
    for (let i = 0; i < 20; i += 1) await expect(wrong.get('k')).rejects.toThrow(/authentication failed/u);
    expect(reads).toBeGreaterThan(20);
    expect(proxy.downstreamBytes - before).toBeLessThan(1000);
  }, 30_000);
});
