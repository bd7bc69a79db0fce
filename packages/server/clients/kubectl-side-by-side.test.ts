import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRealPart, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClientServer } from './client-server.fixture.ts';
import { type TranscriptServer, transcriptOf } from './kubectl-transcript.fixture.ts';

describe('kubectl side by side', needs(findRealPart('kubectl') === undefined ? 'kubectl' : 'kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let servers: readonly [TranscriptServer, TranscriptServer] | undefined;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'listwatch-kubectl-'));
    const real = await startKubeApiserver();
    const own = await startClientServer();
    disposables.push(real, own, { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
    servers = [
      { url: real.url, kubeconfig: real.kubeconfig, user: 'admin', cache: join(folder, 'real') },
      { url: own.url, kubeconfig: own.kubeconfig, user: 'tester', cache: join(folder, 'own') },
    ];
  }, 180_000);
  afterAll(async () => {
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each([
    'create-and-change',
    'apply',
    'server-side-apply',
    'custom-resources',
    'many-kinds',
    'own-words',
    'cluster',
  ])(
    '%s prints the same',
    async (script) => {
      if (servers === undefined) throw new Error('there are no servers');
      const [real, own] = await Promise.all(servers.map((server) => transcriptOf(script, server)));
      expect(own).toEqual(real);
    },
    300_000,
  );
});
