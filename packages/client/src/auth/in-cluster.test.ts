import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { rejection } from '@listwatch/conformance/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inClusterAccess } from './in-cluster.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-account-'));
  write('token', 'first\n');
  write('ca.crt', '-----BEGIN CERTIFICATE-----');
  write('namespace', 'team-a');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

describe('in a pod', () => {
  it('is the service account: address, authority, namespace and token', async () => {
    const access = await inClusterAccess({ clock: new FakeClock(), env, folder });
    expect(access).toMatchObject({ servers: ['https://[fd00::1]:443'], namespace: 'team-a' });
    expect(await access?.tls()).toEqual({ ca: '-----BEGIN CERTIFICATE-----' });
    expect(await access?.credentials?.headers()).toEqual({ authorization: 'Bearer first' });
  });

  it('is nothing outside of one', async () => {
    expect(await inClusterAccess({ clock: new FakeClock(), env: {}, folder })).toBeUndefined();
  });

  it('reads the token again after a minute, and survives a moment without the file', async () => {
    const clock = new FakeClock();
    const credentials = (await inClusterAccess({ clock, env, folder }))?.credentials;
    await credentials?.headers();
    write('token', 'second');
    await clock.advance(59_999);
    expect(await credentials?.headers()).toEqual({ authorization: 'Bearer first' });
    await clock.advance(1);
    expect(await credentials?.headers()).toEqual({ authorization: 'Bearer second' });
    rmSync(join(folder, 'token'));
    await clock.advance(60_000);
    expect(await credentials?.headers()).toEqual({ authorization: 'Bearer second' });
  });

  it('reads it at once when the server refuses it, and says whether there is another', async () => {
    const credentials = (await inClusterAccess({ clock: new FakeClock(), env, folder }))?.credentials;
    const refused = (await credentials?.headers()) ?? {};
    expect(await credentials?.renew(refused)).toBe(false);
    write('token', 'second');
    expect(await credentials?.renew(refused)).toBe(true);
    expect(await credentials?.headers()).toEqual({ authorization: 'Bearer second' });
  });

  it('a pod without an account is told why', async () => {
    rmSync(join(folder, 'token'));
    expect(await rejection(inClusterAccess({ clock: new FakeClock(), env, folder }))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/token is not there: .*automountServiceAccountToken/u),
    });
  });
});
