import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { needs } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { openPki, type Pki } from './pki-folder.ts';
import type { ServingNames } from './serving-names.ts';

const newFolder = temporaryFolders();
const NAMES: ServingNames = {
  dnsNames: ['localhost', 'kubernetes.default.svc'],
  ipAddresses: ['127.0.0.1', '::1', '10.0.0.5'],
};
const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
const ALL = [
  ...['ca', 'front-proxy-ca', 'server', 'admin', 'front-proxy-client'].flatMap((name) => [
    `${name}.key`,
    `${name}.crt`,
  ]),
  'sa.key',
  'users.key',
];

function open(folder: string, days = 0, names = NAMES): Pki {
  return openPki({ folder, names, now: new Date(NOW.getTime() + days * DAY_MS) });
}

describe('the certificates of a new folder', () => {
  const folder = newFolder();
  const pki = open(folder);
  const ca = new X509Certificate(pki.ca);
  const server = new X509Certificate(pki.server.cert);
  const admin = new X509Certificate(pki.admin.cert);

  it('are an authority that signed itself, and two that it signed', () => {
    expect(pki.made).toEqual(ALL);
    expect(ca.ca).toBe(true);
    for (const certificate of [ca, server, admin]) {
      expect(certificate.checkIssued(ca)).toBe(true);
      expect(certificate.verify(ca.publicKey)).toBe(true);
    }
    expect([server.ca, admin.ca]).toEqual([false, false]);
  });

  it('name the server by every name, and no other', () => {
    for (const name of NAMES.dnsNames) expect(server.checkHost(name)).toBe(name);
    for (const address of NAMES.ipAddresses) expect(server.checkIP(address)).toBe(address);
    expect(server.checkHost('example.org')).toBeUndefined();
    expect(server.checkIP('10.0.0.6')).toBeUndefined();
  });

  it('name the administrator and the group that may do everything', () => {
    expect(admin.subject).toBe('O=system:masters\nCN=listwatch-admin');
    expect(admin.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('have keys that say that they are EC keys, also where an older release wrote PKCS #8', () => {
    const older = newFolder();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(older, 'admin.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const { key } of [pki.admin, pki.server, open(older).admin])
      expect(key).toMatch(/^-----BEGIN EC PRIVATE KEY-----/u);
  });

  it('last ten years for the authority and one for the others, from a little before now', () => {
    expect(new Date(ca.validTo)).toEqual(new Date(NOW.getTime() + 3650 * DAY_MS));
    expect(new Date(server.validTo)).toEqual(new Date(NOW.getTime() + 365 * DAY_MS));
    expect(new Date(server.validFrom)).toEqual(new Date(NOW.getTime() - 300_000));
  });

  it('have an authority for the front proxy alone', () => {
    const { frontProxyCa, frontProxy } = pki;
    const client = new X509Certificate(frontProxy.cert);
    expect(client.subject).toBe('CN=front-proxy-client');
    expect(client.verify(new X509Certificate(frontProxyCa).publicKey)).toBe(true);
    expect(client.verify(ca.publicKey)).toBe(false);
  });

  it('are readable by their owner only', () => {
    const modes = readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(modes).toEqual(ALL.map(() => 0o600));
  });

  it('satisfy openssl, strictly', needs('openssl'), () => {
    const at = String(NOW.getTime() / 1000);
    const verify = (purpose: string, file: string): string =>
      execFileSync(
        'openssl',
        [
          'verify',
          '-x509_strict',
          '-attime',
          at,
          '-purpose',
          purpose,
          '-CAfile',
          join(folder, 'ca.crt'),
          join(folder, file),
        ],
        { encoding: 'utf8' },
      );
    expect(verify('sslserver', 'server.crt')).toContain('OK');
    expect(verify('sslclient', 'admin.crt')).toContain('OK');
  });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

describe('a TLS handshake with them', () => {
  it.each(['localhost', '127.0.0.1'])('is trusted on both sides when the server is called %s', async (name) => {
    const pki = openPki({ folder: newFolder(), names: NAMES });
    const listener = createServer({ ...pki.server, ca: pki.ca, requestCert: true, rejectUnauthorized: true });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const accepted = new Promise<TLSSocket>((resolve) => listener.once('secureConnection', resolve));
    const socket = connect({
      port: portOf(listener),
      host: '127.0.0.1',
      ca: pki.ca,
      ...pki.admin,
      servername: name.replace(/^[\d.:]+$/u, ''),
    });
    try {
      await once(socket, 'secureConnect');
      const peer = await accepted;
      expect(socket.authorized).toBe(true);
      expect(peer.authorized).toBe(true);
      expect(peer.getPeerCertificate().subject).toMatchObject({ CN: 'listwatch-admin', O: 'system:masters' });
      peer.destroy();
    } finally {
      socket.destroy();
      listener.close();
    }
  });
});

describe('the certificates of a folder that was used before', () => {
  it('stay as they are', () => {
    const folder = newFolder();
    const first = open(folder);
    expect(open(folder, 300)).toEqual({ ...first, made: [] });
  });

  it('are signed again, for the same keys, when less than thirty days remain', () => {
    const folder = newFolder();
    const first = open(folder);
    const later = open(folder, 336);
    expect(later.made).toEqual(['server.crt', 'admin.crt', 'front-proxy-client.crt']);
    expect(later.server.key).toBe(first.server.key);
    expect(new Date(new X509Certificate(later.admin.cert).validTo)).toEqual(new Date(NOW.getTime() + 701 * DAY_MS));
  });

  it('never outlive their authority, and the clients of a renewed one stay known', () => {
    const folder = newFolder();
    const first = open(folder);
    const late = open(folder, 3500);
    expect(new X509Certificate(late.server.cert).validTo).toBe(new X509Certificate(first.ca).validTo);
    const renewed = open(folder, 3640);
    expect(renewed.made).toEqual(['ca.crt', 'front-proxy-ca.crt', 'server.crt', 'admin.crt', 'front-proxy-client.crt']);
    expect(new X509Certificate(late.admin.cert).verify(new X509Certificate(renewed.ca).publicKey)).toBe(true);
  });

  it('are signed again for a name that is new, and only the one with names', () => {
    const folder = newFolder();
    open(folder);
    const more = open(folder, 0, { ...NAMES, ipAddresses: [...NAMES.ipAddresses, '192.168.1.1'] });
    expect(more.made).toEqual(['server.crt']);
    expect(new X509Certificate(more.server.cert).checkIP('192.168.1.1')).toBe('192.168.1.1');
  });

  it.each(['server.crt', 'admin.key', 'ca.crt'])('are whole again after %s was lost', (file) => {
    const folder = newFolder();
    open(folder);
    rmSync(join(folder, file));
    const { server, ca, made } = open(folder);
    expect(made).toContain(file);
    expect(new X509Certificate(server.cert).verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(open(folder).made).toEqual([]);
  });

  it('are signed again when the authority got another key', () => {
    const folder = newFolder();
    open(folder);
    rmSync(join(folder, 'ca.key'));
    expect(open(folder).made).toEqual(['ca.key', 'ca.crt', 'server.crt', 'admin.crt']);
  });

  it('are signed again when one cannot be read', () => {
    const folder = newFolder();
    open(folder);
    writeFileSync(join(folder, 'server.crt'), 'half a certif');
    expect(open(folder).made).toEqual(['server.crt']);
  });

  it("are left alone when the authority is somebody else's", () => {
    const folder = newFolder();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(join(folder, 'ca.key'), key);
    expect(() => open(folder)).toThrow(`${join(folder, 'ca.key')} is not a P-256 private key`);
    expect(readFileSync(join(folder, 'ca.key'), 'utf8')).toBe(key);
  });

  it('are left alone when the authority has another name', () => {
    const folder = newFolder();
    const { admin } = open(newFolder());
    writeFileSync(join(folder, 'ca.key'), admin.key);
    writeFileSync(join(folder, 'ca.crt'), admin.cert);
    expect(() => open(folder)).toThrow(`${join(folder, 'ca.crt')} was not made by listwatch`);
    expect(readdirSync(folder)).toEqual(['ca.crt', 'ca.key']);
  });
});
