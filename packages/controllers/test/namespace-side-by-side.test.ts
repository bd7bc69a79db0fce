import { type Cluster, connect } from '@listwatch/client';
import {
  type KubeApiserverProcess,
  type KubeProgram,
  needs,
  startKubeApiserver,
  startKubeControllerManager,
} from '@listwatch/conformance/parts';
import { type RunningControllers, startControllers, startLoopbackControllers } from '@listwatch/controllers';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { NAMESPACE_STORIES, type NamespaceWorld } from './namespace-stories.ts';

const CONTROLLERS = [
  'namespace-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
] as const;

/** Longer than the shortest grace period of a pod in the stories. */
const OWN_GRACE_MS = 1500;

/** The same stories on whatever `world` gives, at once: they wait most of the time. */
function tellStories(prefix: string, world: () => Omit<NamespaceWorld, 'namespace'>): void {
  const stories = NAMESPACE_STORIES.map((story, at) => [story.name, story, `${prefix}-${at}`] as const);
  it.concurrent.each(stories)('%s', (_, story, namespace) => story.play({ ...world(), namespace }));
}

describe('our server and our controllers', { timeout: 30_000 }, () => {
  const ca = 'not really PEM\n';
  let env: TestEnvironment;
  let controllers: RunningControllers;

  beforeAll(async () => {
    env = await startTestServer({ controllers: [] });
    controllers = startLoopbackControllers(env.server, {
      controllers: CONTROLLERS,
      caBundle: ca,
      namespaceGraceMs: OWN_GRACE_MS,
    });
    await controllers.ready;
  });

  afterAll(async () => {
    await controllers.close();
    await env.close();
  });

  tellStories('own', () => ({ cluster: env.cluster, ca, reportsPods: true }));
});

describe('a real kube-apiserver', needs('kube-apiserver'), () => {
  let server: KubeApiserverProcess;
  let cluster: Cluster;

  beforeAll(async () => {
    server = await startKubeApiserver();
    cluster = await connect({ kubeconfig: server.kubeconfig });
  }, 180_000);

  afterAll(async () => {
    await cluster.close();
    await server.stop();
  });

  describe('and our controllers', { timeout: 180_000 }, () => {
    let controllers: RunningControllers;

    beforeAll(async () => {
      controllers = startControllers(cluster, { controllers: CONTROLLERS, caBundle: server.ca });
      await controllers.ready;
    });

    afterAll(() => controllers.close());

    tellStories('ours', () => ({ cluster, ca: server.ca, reportsPods: true }));
  });

  describe('and those of kube-controller-manager', { ...needs('kube-controller-manager'), timeout: 180_000 }, () => {
    let manager: KubeProgram;

    beforeAll(() => {
      manager = startKubeControllerManager(server, CONTROLLERS);
    });

    afterAll(() => manager.stop());

    tellStories('theirs', () => ({ cluster, ca: server.ca, reportsPods: false }));
  });
});
