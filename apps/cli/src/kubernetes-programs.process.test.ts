import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { FakeKubelet } from './fake-kubelet.fixture.ts';
import { KubePrograms, NO_TOKEN_TRACKING, PROTOBUF, RESTART_ERRORS } from './kube-programs.fixture.ts';
import { cachedRequests, startRelay, TOKENS } from './relay/relayed-server.fixture.ts';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';
import {
  createWorkloads,
  deleteWorkloads,
  expectCronJobRun,
  expectQuota,
  expectScheduled,
  expectWorkloads,
  type Place,
  rollOutAndBack,
  scaleUp,
} from './workload-story.fixture.ts';

const newFolder = temporaryFolders();
const SLOW = 300_000;
/** `npm run test:real` brings both. */
const PROGRAMS = { ...needs('kube-controller-manager'), ...needs('kube-scheduler') };

/** Everything but the end of the namespace. */
async function tellStory(place: Place, kubelet: FakeKubelet): Promise<void> {
  await createWorkloads(place);
  await expectWorkloads(place, kubelet);
  await expectScheduled(place);
  await expectQuota(place);
  await expectCronJobRun(place);
  await rollOutAndBack(place);
}

describe('kube-controller-manager with all controllers, and kube-scheduler', PROGRAMS, () => {
  it.each([PROTOBUF, 'application/json'])(
    'run workloads on listwatch serve in %s, and go on after its restart',
    async (contentType) => {
      const folder = newFolder();
      const args = ['serve', '--controllers=kubernetes-service-controller', '--port'];
      const start = (port: string) => new ListwatchProcess([...args, port], folder);
      await using first = start('0');
      const { url, kubeconfig } = await first.ready();
      await using programs = new KubePrograms(kubeconfig, contentType);
      await using cluster = await connect({ kubeconfig });
      await using kubelet = await FakeKubelet.start(cluster);
      const place = { cluster, namespace: 'workloads' };
      await tellStory(place, kubelet);
      expect(programs.unexpectedErrors(NO_TOKEN_TRACKING)).toEqual([]);
      first.kill('SIGTERM');
      await first.ended;
      await using second = start(new URL(url).port);
      await second.ready();
      await scaleUp(place);
      expect(programs.unexpectedErrors(NO_TOKEN_TRACKING, ...RESTART_ERRORS)).toEqual([]);
      await deleteWorkloads(place);
    },
    SLOW,
  );

  it.each([PROTOBUF, 'application/json'])(
    'run workloads through a relay in %s, and go on after it was killed',
    async (contentType) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'tokens.csv'), TOKENS, { mode: 0o600 });
      const flags = ['--controllers=kubernetes-service-controller', '--port', '0', '--token-auth-file', 'tokens.csv'];
      await using server = new ListwatchProcess(['serve', ...flags], folder);
      const { url, kubeconfig } = await server.ready();
      const start = (port: string) => startRelay({ folder, url, kubeconfig, port });
      const first = await start('0');
      await using relay = first.process;
      await using programs = new KubePrograms(first.kubeconfig, contentType);
      await using cluster = await connect({ kubeconfig: first.kubeconfig });
      await using kubelet = await FakeKubelet.start(cluster);
      const place = { cluster, namespace: 'workloads' };
      await tellStory(place, kubelet);
      expect(programs.unexpectedErrors(NO_TOKEN_TRACKING)).toEqual([]);
      // The kubelet reads in JSON, whatever the programs do.
      expect((await cachedRequests(first.health)).get('watch pods')).toBeGreaterThan(0);
      relay.kill('SIGKILL');
      await relay.ended;
      const second = await start(first.port);
      await using _ = second.process;
      await scaleUp(place);
      expect(programs.unexpectedErrors(NO_TOKEN_TRACKING, ...RESTART_ERRORS)).toEqual([]);
      await deleteWorkloads(place);
    },
    SLOW,
  );

  it('do the same on a kube-apiserver', { ...needs('kube-apiserver'), timeout: SLOW }, async () => {
    await using server = await startKubeApiserver();
    await using programs = new KubePrograms(server.kubeconfig, PROTOBUF);
    await using cluster = await connect({ kubeconfig: server.kubeconfig });
    await using kubelet = await FakeKubelet.start(cluster);
    const place = { cluster, namespace: 'workloads' };
    await tellStory(place, kubelet);
    await scaleUp(place);
    expect(programs.unexpectedErrors()).toEqual([]);
    await deleteWorkloads(place);
  });
});
