import { StorageError } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { explainFailure } from './explain-failure.ts';
import { resolveSettings } from './serve-settings.ts';

const { settings } = resolveSettings({ flags: { insecurePort: '8080', data: '/d' }, env: {} });

function systemError(fields: { code: string; syscall: string; port?: number; path?: string }): Error {
  return Object.assign(new Error(`${fields.code}: it failed`), fields);
}

describe('a failure to start', () => {
  it.each([
    [
      systemError({ code: 'EADDRINUSE', syscall: 'listen', port: 6443 }),
      'port 6443 on 127.0.0.1 is taken; choose another one with --port (0 for any free one)',
    ],
    [
      systemError({ code: 'EADDRINUSE', syscall: 'listen', port: 8080 }),
      'port 8080 on 127.0.0.1 is taken; choose another one with --insecure-port (0 for any free one)',
    ],
    [
      systemError({ code: 'EACCES', syscall: 'listen', port: 443 }),
      'port 443 on 127.0.0.1 is not for this user; choose one above 1023 with --port',
    ],
    [
      systemError({ code: 'EADDRNOTAVAIL', syscall: 'listen', port: 6443 }),
      '127.0.0.1 is not an address of this machine; choose one with --bind-address',
    ],
    [
      systemError({ code: 'EAFNOSUPPORT', syscall: 'listen', port: 6443 }),
      'port 6443 on 127.0.0.1 cannot be used: EAFNOSUPPORT: it failed',
    ],
    [
      systemError({ code: 'ENOSPC', syscall: 'write', path: '/d/pki/ca.key' }),
      '/d/pki/ca.key cannot be used: the disk is full',
    ],
    [systemError({ code: 'EROFS', syscall: 'open' }), '/d cannot be used: the file system is read-only'],
    [
      new StorageError('IN_USE', 'the store in /d/store is in use by process 7'),
      'the store in /d/store is in use by process 7; stop it, or choose another folder with --data',
    ],
    [
      new StorageError('CORRUPT', 'the store in /d/store is damaged'),
      'the store in /d/store is damaged (for all faults: listwatch store check --data /d)',
    ],
    [new StorageError('DISK_FULL', 'the disk is full: /d/store'), 'the disk is full: /d/store'],
    [new StartError('a sentence'), 'a sentence'],
  ])('is explained in one sentence: %s', (error, sentence) => {
    expect(explainFailure(error, settings)).toBe(sentence);
  });

  it.each([new TypeError('a bug'), 'text', undefined])('that nobody foresaw is not: %s', (error) => {
    expect(explainFailure(error, settings)).toBeUndefined();
  });
});
