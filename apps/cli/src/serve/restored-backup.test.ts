import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@listwatch/server';
import { expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { serve } from './serve.ts';

const newFolder = temporaryFolders();

async function start(data: string): Promise<string> {
  const host = fakeHost({ folder: data });
  const served = serve({ data, port: '0', logFormat: 'json' }, host, createApiServer);
  await host.seen('kubectl');
  host.signal('SIGTERM');
  expect(await served).toBe(0);
  return host.written.stdout;
}

it('a server on a store that was restored from a backup says so once', async () => {
  const data = newFolder();
  await start(data);
  const file = join(data, 'store', 'data.mdb');
  cpSync(file, join(data, 'backup'));
  expect(await start(data)).not.toContain('backup');
  cpSync(join(data, 'backup'), file);
  expect(await start(data)).toMatch(/"revision":"1\d{9}".*the store is a backup or a copy/u);
  expect(await start(data)).not.toContain('backup');
});
