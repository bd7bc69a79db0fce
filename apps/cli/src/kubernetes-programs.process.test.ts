import { join } from 'node:path';
import { type Cluster, connect } from '@listwatch/client';
import { type KubeProgram, needs, startKubeApiserver, startKubeControllerManager } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { FakeKubelet } from './fake-kubelet.test-d.ts';
import { ListwatchProcess } from './serve-process.test-d.ts';
import { temporaryFolders } from './temporary-folder.test-d.ts';
import {
  createWorkloads,
  deleteWorkloads,
  expectCronJobRun,
  expectWorkloads,
  rollOutAndBack,
  scaleUp,
} from './workload-story.test-d.ts';

const newFolder = temporaryFolders();
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const SLOW = 240_000;

/** The errors that it logs on a kube-apiserver too. The end of a namespace adds others: controllers miss what it has lost. */
const EXPECTED_ERRORS = [
  // It reads its own configuration.
  'The manifest file is empty',
  // Its cache is behind its own write, or another controller has written: it tries again.
  'is not as new as written version',
  'the object has been modified',
  // No server of metrics runs.
  'metrics.k8s.io',
];
/** A ConfigMap of kube-apiserver. Our server accepts no tokens of Secrets, so it has no use of them to track. */
const NO_TOKEN_TRACKING = 'kube-apiserver-legacy-service-account-token-tracking';
/** While no server listens. */
const RESTART_ERRORS = ['connection refused', 'connection reset', 'EOF', 'GOAWAY', 'connection lost'];

function unexpectedErrors({ log }: KubeProgram, ...more: readonly string[]): readonly string[] {
  const expected = [...EXPECTED_ERRORS, ...more];
  return log.split('\n').filter((line) => /^[EF]\d/u.test(line) && !expected.some((text) => line.includes(text)));
}

function startManager(kubeconfig: string, contentType: string, more: readonly string[] = []) {
  const flags = [
    `--kube-api-content-type=${contentType}`,
    '--leader-elect=true',
    '--horizontal-pod-autoscaler-sync-period=2s',
    '--resource-quota-sync-period=2s',
    '--kube-api-qps=200',
    '--kube-api-burst=300',
    ...more,
  ];
  return startKubeControllerManager({ kubeconfig }, ['*'], flags);
}

/** Everything but the end of the namespace. */
async function tellStory(cluster: Cluster, kubelet: FakeKubelet): Promise<void> {
  await createWorkloads(cluster);
  await expectWorkloads(cluster, kubelet);
  await expectCronJobRun(cluster);
  await rollOutAndBack(cluster);
}

describe('all controllers of kube-controller-manager', needs('kube-controller-manager'), () => {
  it.each([PROTOBUF, 'application/json'])(
    'run workloads on listwatch serve in %s, and go on after its restart',
    async (contentType) => {
      const folder = newFolder();
      const args = ['serve', '--controllers=kubernetes-service-controller', '--port'];
      const start = (port: string) => new ListwatchProcess([...args, port], folder);
      await using first = start('0');
      const { url, kubeconfig } = await first.ready();
      const pki = join(kubeconfig, '../pki');
      await using manager = startManager(kubeconfig, contentType, [
        `--root-ca-file=${join(pki, 'ca.crt')}`,
        `--service-account-private-key-file=${join(pki, 'sa.key')}`,
      ]);
      await using cluster = await connect({ kubeconfig });
      await using kubelet = await FakeKubelet.start(cluster);
      await tellStory(cluster, kubelet);
      expect(unexpectedErrors(manager, NO_TOKEN_TRACKING)).toEqual([]);
      first.kill('SIGTERM');
      await first.ended;
      await using second = start(new URL(url).port);
      await second.ready();
      await scaleUp(cluster);
      expect(unexpectedErrors(manager, NO_TOKEN_TRACKING, ...RESTART_ERRORS)).toEqual([]);
      await deleteWorkloads(cluster);
    },
    SLOW,
  );

  it('do the same on a kube-apiserver', { ...needs('kube-apiserver'), timeout: SLOW }, async () => {
    await using server = await startKubeApiserver();
    await using manager = startManager(server.kubeconfig, PROTOBUF);
    await using cluster = await connect({ kubeconfig: server.kubeconfig });
    await using kubelet = await FakeKubelet.start(cluster);
    await tellStory(cluster, kubelet);
    await scaleUp(cluster);
    expect(unexpectedErrors(manager)).toEqual([]);
    await deleteWorkloads(cluster);
  });
});
