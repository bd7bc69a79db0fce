import {
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientServer, startClientServer } from './client-server.fixture.ts';

const NAMESPACE = 'default';
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

describe('@kubernetes/client-node', () => {
  let server: ClientServer;
  let config: KubeConfig;
  let api: CoreV1Api;

  beforeAll(async () => {
    server = await startClientServer();
    config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    api = config.makeApiClient(CoreV1Api);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('lists what it has created, by pages too', async () => {
    for (const name of ['list-a', 'list-b', 'list-c']) {
      const created = await api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap(name) });
      expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/u);
    }
    const labelSelector = 'test in (list-a,list-b,list-c)';
    const whole = await api.listNamespacedConfigMap({ namespace: NAMESPACE, labelSelector });
    expect(whole.items.map(({ metadata }) => metadata?.name)).toEqual(['list-a', 'list-b', 'list-c']);
    const first = await api.listNamespacedConfigMap({ namespace: NAMESPACE, limit: 1 });
    const second = await api.listNamespacedConfigMap({
      namespace: NAMESPACE,
      limit: 1,
      // eslint-disable-next-line no-underscore-dangle -- the client's own name for `continue`
      _continue: first.metadata?._continue ?? '',
    });
    expect(first.items.concat(second.items).map(({ metadata }) => metadata?.name)).toEqual(['list-a', 'list-b']);
  });

  it('tells a conflict and a missing object apart by their codes', async () => {
    await api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('twice') });
    await expect(
      api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('twice') }),
    ).rejects.toMatchObject({ code: 409 });
    await expect(api.readNamespacedConfigMap({ namespace: NAMESPACE, name: 'nowhere' })).rejects.toMatchObject({
      code: 404,
    });
  });

  it('watches a create, a patch and a delete, in their order', async () => {
    const { metadata } = await api.listNamespacedConfigMap({ namespace: NAMESPACE });
    const events: string[] = [];
    const over = deferred();
    const query = { resourceVersion: metadata?.resourceVersion ?? '', labelSelector: 'test=watched' };
    const abort = await new Watch(config).watch(
      PATH,
      query,
      (type, object: V1ConfigMap) => {
        events.push(`${type} ${object.data?.['a']}`);
        if (type === 'DELETED') over.resolve();
      },
      (error: unknown) => over.reject(error),
    );
    await api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('watched', { a: '1' }) });
    await api.patchNamespacedConfigMap(
      { namespace: NAMESPACE, name: 'watched', body: { data: { a: '2' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await api.deleteNamespacedConfigMap({ namespace: NAMESPACE, name: 'watched' });
    await over.promise;
    abort.abort();
    expect(events).toEqual(['ADDED 1', 'MODIFIED 2', 'DELETED 2']);
  });

  it('keeps an informer up to date', async () => {
    await api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('informed-before') });
    const informer = makeInformer<V1ConfigMap>(config, PATH, () =>
      api.listNamespacedConfigMap({ namespace: NAMESPACE }),
    );
    const [before, added, updated, deleted] = [deferred(), deferred(), deferred(), deferred()];
    informer.on('add', ({ metadata }) => {
      if (metadata?.name === 'informed-before') before.resolve();
      if (metadata?.name === 'informed') added.resolve();
    });
    informer.on('update', ({ data }) => {
      if (data?.['a'] === '2') updated.resolve();
    });
    informer.on('delete', ({ metadata }) => {
      if (metadata?.name === 'informed') deleted.resolve();
    });
    await informer.start();
    await before.promise;
    await api.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('informed', { a: '1' }) });
    await added.promise;
    await api.replaceNamespacedConfigMap({
      namespace: NAMESPACE,
      name: 'informed',
      body: configMap('informed', { a: '2' }),
    });
    await updated.promise;
    expect(informer.get('informed', NAMESPACE)?.data).toEqual({ a: '2' });
    await api.deleteNamespacedConfigMap({ namespace: NAMESPACE, name: 'informed' });
    await deleted.promise;
    expect(informer.get('informed', NAMESPACE)).toBeUndefined();
    await informer.stop();
  });
});

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

function deferred(): Deferred {
  const parts: { resolve?: () => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<void>((resolve, reject) => {
    parts.resolve = resolve;
    parts.reject = reject;
  });
  return { promise, resolve: () => parts.resolve?.(), reject: (reason) => parts.reject?.(reason) };
}

function configMap(name: string, data: Record<string, string> = {}): V1ConfigMap {
  return { metadata: { name, labels: { test: name } }, data };
}
