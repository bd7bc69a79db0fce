import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@listwatch/server';
import { describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { prepareDataFolder } from './data-folder.ts';
import { serve } from './serve.ts';

const newFolder = temporaryFolders();

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Every file and folder below `folder`. */
function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

describe('the data folder', () => {
  it('that exists and can be read by all is narrowed, with all that is ours in it', () => {
    const data = newFolder();
    mkdirSync(join(data, 'pki'));
    for (const file of ['kubeconfig', 'pki/ca.key', 'pki/ca.crt']) writeFileSync(join(data, file), '', { mode: 0o644 });
    chmodSync(data, 0o755);
    chmodSync(join(data, 'pki'), 0o755);
    for (const path of below(join(data, 'pki'))) chmodSync(path, 0o644);
    chmodSync(join(data, 'kubeconfig'), 0o664);
    expect(prepareDataFolder(data)).toEqual([
      data,
      ...['kubeconfig', 'pki', 'pki/ca.crt', 'pki/ca.key'].map((name) => join(data, name)),
    ]);
    expect(mode(data)).toBe(0o700);
    expect(below(data).map((path) => mode(path) & 0o077)).toEqual([0, 0, 0, 0]);
    expect(prepareDataFolder(data)).toEqual([]);
  });

  it('with other things in it stays open: only what is ours is narrowed', () => {
    const data = newFolder();
    writeFileSync(join(data, 'notes.txt'), '', { mode: 0o644 });
    writeFileSync(join(data, 'kubeconfig'), '', { mode: 0o644 });
    chmodSync(data, 0o755);
    expect(prepareDataFolder(data)).toEqual([join(data, 'kubeconfig')]);
    expect([mode(data), mode(join(data, 'notes.txt'))]).toEqual([0o755, 0o644]);
  });

  it('of a server that has started in one with mode 0755 can be read by its owner alone, and the log says so once', async () => {
    const data = newFolder();
    chmodSync(data, 0o755);
    const start = async (): Promise<string> => {
      const host = fakeHost({ folder: data });
      const served = serve({ data, port: '0', logFormat: 'json' }, host, createApiServer);
      await host.seen('kubectl');
      host.signal('SIGTERM');
      expect(await served).toBe(0);
      return host.written.stdout;
    };
    expect(await start()).toContain(`"paths":${JSON.stringify([data])}`);
    for (const path of [data, ...below(data)]) expect(mode(path) & 0o077, path).toBe(0);
    for (const path of below(data)) if (statSync(path).isFile()) chmodSync(path, 0o644);
    const log = await start();
    expect(log.split('others could read').length - 1).toBe(1);
    expect(log).toContain(join(data, 'store', 'data.mdb'));
    for (const path of [data, ...below(data)]) expect(mode(path) & 0o077, path).toBe(0);
  });
});
