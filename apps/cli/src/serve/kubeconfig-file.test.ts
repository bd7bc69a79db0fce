import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { openPki } from '../pki/pki-folder.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { checkReplaceable, kubeconfigText } from './kubeconfig-file.ts';
import { writePrivateFile } from './private-file.ts';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

const newFolder = temporaryFolders();
const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1', '::1'] };
const pki = openPki({ folder: newFolder(), names });
const own = openPki({ folder: newFolder(), names: { dnsNames: ['*.a.org', 'api.a.org'], ipAddresses: [] } });

function textFor(url: string, serving = pki.server.cert): string {
  return kubeconfigText({ url, authority: pki.ca, serving, client: pki.admin });
}

function clusterFor(url: string, serving?: string): unknown {
  return parseYaml(textFor(url, serving)).clusters[0].cluster;
}

describe('a kubeconfig', () => {
  it('has one context with the certificates inside', () => {
    const config = parseYaml(textFor('https://127.0.0.1:6443'));
    expect(config).toMatchObject({ apiVersion: 'v1', kind: 'Config', 'current-context': 'listwatch' });
    expect(config.contexts).toEqual([
      { name: 'listwatch', context: { cluster: 'listwatch', user: 'listwatch-admin' } },
    ]);
    const [{ user }] = config.users;
    const text = (field: string): string => Buffer.from(user[field], 'base64').toString();
    expect(new X509Certificate(text('client-certificate-data')).subject).toContain('CN=listwatch-admin');
    expect(text('client-key-data')).toBe(pki.admin.key);
    const [{ cluster }] = config.clusters;
    expect(Buffer.from(cluster['certificate-authority-data'], 'base64').toString()).toBe(pki.ca);
  });

  it.each([
    ['https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
    ['https://0.0.0.0:7443', 'https://127.0.0.1:7443'],
    ['https://[::]:7443', 'https://[::1]:7443'],
    ['https://[::1]:443', 'https://[::1]'],
  ])('for a server at %s leads to %s', (url, server) => {
    expect(clusterFor(url)).toMatchObject({ server });
    expect(clusterFor(url)).not.toHaveProperty('tls-server-name');
  });

  it('tells which name to look for when the certificate does not have the address', () => {
    expect(clusterFor('https://127.0.0.1:6443', own.server.cert)).toHaveProperty('tls-server-name', 'api.a.org');
  });
});

describe('a file that a kubeconfig is written to', () => {
  it.each(['', '\n', textFor('https://127.0.0.1:1')])('may be empty or ours: %#', (text) => {
    const path = join(newFolder(), 'config');
    writePrivateFile(path, text);
    expect(() => checkReplaceable(path)).not.toThrow();
  });

  it('may be missing', () => {
    expect(() => checkReplaceable(join(newFolder(), 'config'))).not.toThrow();
  });

  it.each([
    'notes',
    '{',
    'clusters: [{name: production}]',
    textFor('https://127.0.0.1:1').replace('clusters:\n', 'clusters:\n  - name: production\n    cluster: {}\n'),
  ])('is left alone when somebody else is in it: %#', (text) => {
    const path = join(newFolder(), 'config');
    writePrivateFile(path, text);
    expect(() => checkReplaceable(path)).toThrow(`${path} is not a kubeconfig of listwatch alone`);
  });
});
