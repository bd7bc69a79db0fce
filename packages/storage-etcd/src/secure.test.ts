import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EtcdProcess,
  needs,
  startEtcd,
  startTcpProxy,
  TestAuthority,
  type TestCertificatePair,
} from '@listwatch/conformance/parts';
import { requireCommitted } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Http2GrpcConnection } from './grpc/http2-grpc-connection.ts';
import { createEtcdEngine } from './index.ts';
import { decodeAuthenticate } from './lease-messages.ts';
import { ProtoWriter } from './proto-writer.ts';

const value = Buffer.from('v');

/** A certificate authority and two certificates, as the files that etcd reads. */
class Certificates {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'listwatch-tls-'));

  constructor() {
    using authority = new TestAuthority();
    writeFileSync(this.path('ca.crt'), authority.ca);
    this.#write('server', authority.server(['DNS:etcd.test', 'IP:127.0.0.1']));
    this.#write('client', authority.client('/CN=client'));
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): Buffer {
    return readFileSync(this.path(file));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(name: string, { cert, key }: TestCertificatePair): void {
    writeFileSync(this.path(`${name}.crt`), cert);
    writeFileSync(this.path(`${name}.key`), key);
  }
}

/** A call of etcd's Auth service; `fields` are the fields 1, 2, ... of the request. */
async function manage(
  etcd: EtcdProcess,
  method: string,
  fields: readonly (string | Buffer)[],
  token?: string,
): Promise<Buffer> {
  const writer = new ProtoWriter(1024);
  for (const [i, field] of [...fields.entries()].toReversed()) writer.bytes(i + 1, Buffer.from(field));
  const limits = { connectTimeoutMs: 20_000, keepAliveIntervalMs: 20_000, keepAliveTimeoutMs: 20_000 };
  const connection = new Http2GrpcConnection({ url: etcd.endpoint, maxMessageBytes: 2 ** 20, ...limits });
  try {
    await connection.ready(20_000);
    const metadata: Record<string, string> = token === undefined ? {} : { token };
    const path = `/etcdserverpb.Auth/${method}`;
    return await connection.unary(path, writer.finish(), metadata, { timeoutMs: 20_000 });
  } finally {
    connection.close();
  }
}

describe('TLS', needs('etcd'), () => {
  let certificates: Certificates;
  let etcd: EtcdProcess;

  beforeAll(async () => {
    certificates = new Certificates();
    const [cert, key, clientCa] = ['server.crt', 'server.key', 'ca.crt'].map((file) => certificates.path(file));
    etcd = await startEtcd({ tls: { cert: cert ?? '', key: key ?? '', clientCa } });
  });

  afterAll(async () => {
    await etcd.stop();
    certificates.remove();
  });

  it('works with an authority and a client certificate, as text or bytes, and under another server name', async () => {
    const ca = certificates.read('ca.crt');
    const [cert, key] = [certificates.read('client.crt'), certificates.read('client.key')];
    for (const tls of [
      { ca, cert, key },
      { ca: ca.toString(), cert: cert.toString(), key: key.toString(), serverName: 'etcd.test' },
    ]) {
      await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], tls });
      requireCommitted(await engine.commit({ type: 'put', key: 'k', value }), 'k');
    }
  });

  it('refuses a server whose certificate it does not trust, and is refused without its own', async () => {
    const ca = certificates.read('ca.crt');
    const [cert, key] = [certificates.read('client.crt'), certificates.read('client.key')];
    for (const tls of [{ cert, key }, { ca }, { ca, cert, key, serverName: 'another.test' }]) {
      await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], tls, requestTimeout: 500 });
      await expect(engine.revision()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
  });
});

describe('users and passwords', needs('etcd'), () => {
  let etcd: EtcdProcess;

  /** Switches authentication on: root, and a user who may only touch what is under /mine/. */
  async function enableAuth(): Promise<void> {
    const permission = new ProtoWriter(64);
    permission.bytes(3, Buffer.from('/mine0'));
    permission.bytes(2, Buffer.from('/mine/'));
    permission.int(1, 2);
    for (const name of ['root', 'user']) {
      await manage(etcd, 'UserAdd', [name, `${name}-password`]);
      await manage(etcd, 'RoleAdd', [name]);
      await manage(etcd, 'UserGrantRole', [name, name]);
    }
    await manage(etcd, 'RoleGrantPermission', ['user', permission.finish()]);
    await manage(etcd, 'AuthEnable', []);
  }

  /** Makes etcd forget the tokens of a user: it does so when the password is set, even to what it was. */
  async function forgetTokens(name: string): Promise<void> {
    const token = decodeAuthenticate(await manage(etcd, 'Authenticate', ['root', 'root-password']));
    await manage(etcd, 'UserChangePassword', [name, `${name}-password`], token);
  }

  const user = { username: 'user', password: 'user-password' };

  beforeAll(async () => {
    etcd = await startEtcd();
  });

  afterAll(async () => {
    await etcd.stop();
  });

  it('are of no effect while authentication is off', async () => {
    await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/mine/', auth: user });
    requireCommitted(await engine.commit({ type: 'put', key: 'before', value }), 'before');
    await enableAuth();
  });

  it('let the engine in, within what the user may do', async () => {
    await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/mine/', auth: user });
    const after = await engine.revision();
    requireCommitted(await engine.commit({ type: 'put', key: 'k', value, ttlSeconds: 60 }), 'k');
    for await (const batch of engine.watch('', { after })) {
      expect(batch.events).toMatchObject([{ key: 'k' }]);
      break;
    }
    await using outside = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/theirs/', auth: user });
    await expect(outside.get('k')).rejects.toThrow(/permission denied/);
    await expect(outside.watch('', { after })[Symbol.asyncIterator]().next()).rejects.toThrow(/permission denied/);
  });

  it('that are wrong or missing keep it out, also from watching', async () => {
    for (const auth of [{ username: 'user', password: 'wrong' }, undefined]) {
      await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/mine/', auth });
      await expect(engine.get('k')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      const watching = engine.watch('', { after: 1n })[Symbol.asyncIterator]().next();
      await expect(watching).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
  });

  it('are presented again when etcd has forgotten the token: reads, writes and a running watch go on', async () => {
    await using proxy = await startTcpProxy(etcd.port);
    await using watcher = createEtcdEngine({ endpoints: [proxy.endpoint], root: '/mine/', auth: user });
    await using writer = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/mine/', auth: user });
    const after = await writer.revision();
    const batches = watcher.watch('', { after })[Symbol.asyncIterator]();
    requireCommitted(await writer.commit({ type: 'put', key: 'one', value }), 'one');
    expect((await batches.next()).value?.events).toMatchObject([{ key: 'one' }]);
    await forgetTokens('user');
    proxy.cut();
    requireCommitted(await writer.commit({ type: 'put', key: 'two', value }), 'two');
    expect((await writer.get('two')).entry).toBeDefined();
    expect((await batches.next()).value?.events).toMatchObject([{ key: 'two' }]);
    await batches.return?.();
  });
});
