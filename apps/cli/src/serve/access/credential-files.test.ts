import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPki } from '../../pki/pki-folder.ts';
import { temporaryFolders } from '../../temporary-folder.fixture.ts';
import type { RawOptions } from '../config-file.ts';
import { writePrivateFile } from '../private-file.ts';
import { resolveSettings } from '../serve-settings.ts';
import { readCredentialFiles } from './credential-files.ts';

const newFolder = temporaryFolders();
const folder = newFolder();
const pki = openPki({ folder, names: { dnsNames: ['localhost'], ipAddresses: [] } });

function file(name: string, text?: string): string {
  const path = join(folder, name);
  if (text !== undefined) writePrivateFile(path, text);
  return path;
}

function read(flags: RawOptions): ReturnType<typeof readCredentialFiles> {
  return readCredentialFiles(resolveSettings({ flags, env: {} }).settings);
}

describe('the files that options name', () => {
  it('are none when none is named', () => {
    expect(read({})).toMatchObject({ tokens: undefined, clientCa: undefined, serving: undefined });
  });

  it('hold tokens, certificates and keys', () => {
    const found = read({
      tokenAuthFile: file('tokens', 'secret,alice,1,"a,b"\n'),
      clientCaFile: file('ca.crt'),
      tlsCertFile: file('server.crt'),
      tlsPrivateKeyFile: file('server.key'),
    });
    expect(found.tokens?.get('secret')).toEqual({ name: 'alice', uid: '1', groups: ['a', 'b'] });
    expect(found.clientCa).toBe(pki.ca);
    expect(found.serving).toEqual(pki.server);
  });

  it('that others could have written are said, and a key that signs is refused', () => {
    const open = (name: string, text: string): string => {
      const path = file(name, text);
      chmodSync(path, 0o666);
      return path;
    };
    const tokens = open('open-tokens', 'secret,alice,1\n');
    const { warnings } = read({ tokenAuthFile: tokens, clientCaFile: file('ca.crt') });
    expect(warnings).toEqual([
      expect.stringMatching(/^the file of --token-auth-file may be somebody else's: .* others can write to it; move /u),
    ]);
    const serviceAccountSigningKeyFile = open('open.key', pki.serviceAccountKey);
    expect(() => read({ serviceAccountSigningKeyFile })).toThrow(
      `--service-account-signing-key-file must be a key that nobody else could have made: ${serviceAccountSigningKeyFile}`,
    );
  });

  it('hold the keys of service account tokens: one that signs, and many that verify', () => {
    const found = read({
      serviceAccountSigningKeyFile: file('sa.key'),
      serviceAccountKeyFile: [file('server.key'), file('server.crt')].join(','),
    });
    expect(found.serviceAccounts).toEqual({
      signingKey: pki.serviceAccountKey,
      verificationKeys: [pki.server.key, pki.server.cert],
    });
  });

  it.each<[RawOptions, string]>([
    [
      { tokenAuthFile: '/nowhere' },
      '--token-auth-file must be a file that can be read, got "/nowhere": there is no such',
    ],
    [{ clientCaFile: folder }, `--client-ca-file must be a file that can be read, got "${folder}": it is a folder`],
    [{ tokenAuthFile: file('bad', 'a,b,c\nd\n') }, '--token-auth-file must be a file with lines of token,user,uid'],
    [{ tokenAuthFile: file('bad', 'a,b,c\nd\n') }, 'line 2'],
    [
      { etcdServers: 'https://a:1', etcdCafile: '/nowhere' },
      '--etcd-cafile must be a file that can be read, got "/nowhere": there is no such',
    ],
    [
      { etcdServers: 'https://a:1', etcdUsername: 'u', etcdPasswordFile: '/nowhere' },
      '--etcd-password-file must be a file that can be read, got "/nowhere": there is no such',
    ],
    [{ clientCaFile: file('bad.crt', 'x') }, '--client-ca-file must be a file with certificates in PEM'],
    [
      { tlsCertFile: file('server.crt'), tlsPrivateKeyFile: file('admin.key') },
      '--tls-private-key-file must be the key of --tls-cert-file',
    ],
    [
      { tlsCertFile: file('server.crt'), tlsPrivateKeyFile: file('server.crt') },
      '--tls-private-key-file must be a file with a private key in PEM',
    ],
    [
      { tlsCertFile: file('server.key'), tlsPrivateKeyFile: file('server.key') },
      '--tls-cert-file must be a file with a certificate in PEM',
    ],
    [
      { serviceAccountSigningKeyFile: file('server.crt') },
      '--service-account-signing-key-file must be a file with a private key in PEM, EC or RSA',
    ],
    [
      { serviceAccountKeyFile: [file('sa.key'), file('bad.crt', 'x')].join(',') },
      '--service-account-key-file must be a file with keys in PEM, EC or RSA',
    ],
    [
      { serviceAccountKeyFile: '/nowhere' },
      '--service-account-key-file must be a file that can be read, got "/nowhere": there is no such',
    ],
  ])('are blamed on their option when they are wrong: %#', (flags, message) => {
    expect(() => read(flags)).toThrow(expect.objectContaining({ name: 'UsageError' }));
    expect(() => read(flags)).toThrow(message);
    expect(() => read(flags)).not.toThrow(/\n/u);
  });
});
