import { mkdtempSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, describe, expect, it } from 'vitest';
import { authFromFiles, tlsFromFiles } from './etcd-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'listwatch-etcd-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the option tls from files', () => {
  using authority = new TestAuthority();
  const [old, next] = [authority.client('/CN=old'), authority.client('/CN=next')];
  const [caFile, certFile, keyFile] = ['ca', 'cert', 'key'].map((name) => join(folder, name));

  function write(ca: string, cert: string, key: string): void {
    writeFileSync(caFile ?? '', ca);
    writeFileSync(certFile ?? '', cert);
    writeFileSync(keyFile ?? '', key);
  }

  it('is what the files hold at the moment, and the same object while they do not change', () => {
    write(authority.ca, old.cert, old.key);
    const read = tlsFromFiles({ caFile, certFile, keyFile, serverName: 'etcd.test' });
    expect(read()).toEqual({ ca: authority.ca, ...old, serverName: 'etcd.test' });
    expect(read()).toBe(read());
    write(`${authority.ca}${authority.ca}`, next.cert, next.key);
    expect(read()).toMatchObject({ ca: `${authority.ca}${authority.ca}`, ...next });
  });

  it.each<[string, () => void, RegExp]>([
    [
      'a certificate whose key is not there yet',
      () => write(authority.ca, next.cert, old.key),
      /key is not the private key of .*cert$/u,
    ],
    [
      'half a certificate',
      () => write(authority.ca, next.cert.slice(0, 200), next.key),
      /cert holds no certificate in PEM$/u,
    ],
    [
      'a bundle that is cut off',
      () => write(`${authority.ca}${authority.ca.slice(0, 200)}`, next.cert, next.key),
      /ca is cut off$/u,
    ],
    [
      'a certificate of noise',
      () => write(authority.ca.replace(/\n[^-]/gu, '\nA'), next.cert, next.key),
      /ca holds no certificate in PEM that can be read$/u,
    ],
    [
      'a key that is none',
      () => write(authority.ca, next.cert, 'x'),
      /key holds no private key in PEM that can be read$/u,
    ],
    ['an empty file', () => truncateSync(caFile ?? ''), /ca holds no certificate in PEM$/u],
    ['a file that is gone', () => unlinkSync(keyFile ?? ''), /ENOENT.*key/u],
    ['a file without an end', () => truncateSync(caFile ?? '', 2 ** 20 + 1), /ca is larger than 1048576 bytes$/u],
  ])('throws for %s, and goes on when the files are good again', (_, damage, message) => {
    write(authority.ca, old.cert, old.key);
    const read = tlsFromFiles({ caFile, certFile, keyFile });
    read();
    damage();
    expect(read).toThrow(message);
    write(authority.ca, next.cert, next.key);
    expect(read()).toMatchObject(next);
  });

  it('needs a key with a certificate', () => {
    expect(() => tlsFromFiles({ certFile: 'x' })).toThrow(/certFile and keyFile go together, got only certFile/u);
  });
});

describe('the option auth from a file', () => {
  it('is the password of the moment, without the line break at its end', () => {
    const passwordFile = file('password', ' one \n');
    const read = authFromFiles({ username: 'u', passwordFile });
    expect(read()).toEqual({ username: 'u', password: ' one ' });
    writeFileSync(passwordFile, 'two\r\n');
    expect(read()).toEqual({ username: 'u', password: 'two' });
  });

  it('throws while the file is empty or gone', () => {
    const passwordFile = file('password', '\n');
    const read = authFromFiles({ username: 'u', passwordFile });
    expect(read).toThrow(`${passwordFile} is empty`);
    unlinkSync(passwordFile);
    expect(read).toThrow(/ENOENT/u);
  });
});
