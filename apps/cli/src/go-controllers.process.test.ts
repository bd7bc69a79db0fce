/** Controllers in Go with CRDs of their own, on our server and on a kube-apiserver: the objects in the end are the same. */

import { type ApiObject, type ManagedFieldsEntry, resource } from '@listwatch/api';
import { applyYaml, type Cluster, connect } from '@listwatch/client';
import { findRealPart, KubeProgram, needs, type RealPartName, startKubeApiserver } from '@listwatch/conformance/parts';
import { startControllers } from '@listwatch/controllers';
import { configMaps, customResourceDefinitions, deployments, events } from '@listwatch/kinds';
import { conditionIs, deleted, exists, fieldIs, waitFor } from '@listwatch/runtime';
import { describe, expect, it, vi } from 'vitest';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

interface CustomObject extends ApiObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

const foos = resource<CustomObject>({
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  plural: 'foos',
  kind: 'Foo',
  namespaced: true,
});
const greetings = resource<CustomObject>({
  group: 'interop.example.com',
  version: 'v1',
  plural: 'greetings',
  kind: 'Greeting',
  namespaced: true,
});
/** That of the sample, in our words. */
const FOO_CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: foos.samplecontroller.k8s.io
  annotations: { api-approved.kubernetes.io: 'unapproved, for a test' }
spec:
  group: samplecontroller.k8s.io
  scope: Namespaced
  names: { kind: Foo, plural: foos }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { deploymentName: { type: string }, replicas: { type: integer, minimum: 1, maximum: 10 } }
            status: { type: object, properties: { availableReplicas: { type: integer } } }
`;
const SLOW = 120_000;
const WAIT = { timeout: 30_000 };
const newFolder = temporaryFolders();

/** A server with a garbage collector. */
interface StoryServer extends AsyncDisposable {
  readonly kubeconfig: string;
  readonly cluster: Cluster;
}

type Story = (server: StoryServer) => Promise<readonly unknown[]>;

async function startOwn(): Promise<StoryServer> {
  const server = new ListwatchProcess(['serve', '--storage', 'memory', '--port', '0'], newFolder());
  const { kubeconfig } = await server.ready();
  const cluster = await connect({ kubeconfig });
  return {
    kubeconfig,
    cluster,
    async [Symbol.asyncDispose]() {
      await cluster.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function startReal(): Promise<StoryServer> {
  const server = await startKubeApiserver();
  const cluster = await connect({ kubeconfig: server.kubeconfig });
  const controllers = startControllers(cluster, { controllers: ['garbage-collector-controller'] });
  await controllers.ready;
  return {
    kubeconfig: server.kubeconfig,
    cluster,
    async [Symbol.asyncDispose]() {
      await controllers.close();
      await cluster.close();
      await server.stop();
    },
  };
}

function managerOf({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return [manager, operation, subresource].join(' ');
}

/** Without what differs from run to run: identities, times, and the order of managers, which depends on seconds. */
function stable({ metadata, ...rest }: ApiObject): unknown {
  const { uid: _uid, resourceVersion: _version, ownerReferences, managedFields, ...kept } = metadata;
  const text = JSON.stringify({
    ...rest,
    metadata: {
      ...kept,
      ownerReferences: ownerReferences?.map(({ uid: _owner, ...reference }) => reference),
      managedFields: managedFields?.toSorted((a, b) => managerOf(a).localeCompare(managerOf(b))),
    },
  });
  return JSON.parse(text.replaceAll(TIME, 'TIME').replaceAll(/k:\{[^}]*uid[^}]*\}/gu, 'k:OWNER'));
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;

/** A conflict is none: the cache was behind a write, and the program tries again. */
function errorsOf({ log }: KubeProgram): readonly string[] {
  return log.split('\n').filter((line) => /^[EF]\d/u.test(line) && !line.includes('the object has been modified'));
}

const tellSample: Story = async ({ cluster, kubeconfig }) => {
  const place = { namespace: 'default', name: 'foo' };
  await applyYaml(cluster, FOO_CRD);
  await waitFor(
    cluster,
    customResourceDefinitions,
    { name: 'foos.samplecontroller.k8s.io' },
    conditionIs('Established'),
  );
  await using program = new KubeProgram('sample-controller', [`--kubeconfig=${kubeconfig}`]);
  await cluster.create(foos, { metadata: place, spec: { deploymentName: 'foo', replicas: 1 } });
  await waitFor(cluster, deployments, place, exists);
  const body = { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } };
  await cluster.patch(deployments, place, { type: 'merge', body }, { subresource: 'status' });
  await waitFor(cluster, foos, place, fieldIs('{.status.availableReplicas}', 1));
  await cluster.patch(foos, place, { type: 'merge', body: { spec: { replicas: 2 } } });
  await waitFor(cluster, deployments, place, fieldIs('{.spec.replicas}', 2));
  await expect(cluster.patch(foos, place, { type: 'merge', body: { spec: { replicas: 11 } } })).rejects.toThrow(
    'spec.replicas in body should be less than or equal to 10',
  );
  const messages = await vi.waitFor(async () => {
    const { items } = await cluster.list(events, { namespace: 'default', fieldSelector: 'involvedObject.kind=Foo' });
    expect(items.length).toBeGreaterThan(0);
    return items.map(({ type, reason, message }) => [type, reason, message]);
  }, WAIT);
  const objects = [await cluster.get(foos, place), await cluster.get(deployments, place)].map(stable);
  // Before the end: a sync may lose its object to it.
  expect(errorsOf(program)).toEqual([]);
  await cluster.delete(foos, place);
  await waitFor(cluster, deployments, place, deleted);
  return [...objects, ...new Set(messages.map((line) => JSON.stringify(line)))];
};

const tellGreeter: Story = async ({ cluster, kubeconfig }) => {
  const place = { namespace: 'default', name: 'ada' };
  await using program = new KubeProgram('controller-runtime', [`--kubeconfig=${kubeconfig}`]);
  const crd = { name: 'greetings.interop.example.com' };
  await waitFor(cluster, customResourceDefinitions, crd, conditionIs('Established'));
  await cluster.create(greetings, { metadata: place, spec: { name: 'Ada' } });
  await waitFor(cluster, greetings, place, conditionIs('Ready'));
  expect(await cluster.get(configMaps, place)).toMatchObject({ data: { text: 'Hello, Ada!' } });
  // Somebody else changes its field, and adds one of their own.
  const body = { data: { text: 'Bye!', more: '1' } };
  await cluster.patch(configMaps, place, { type: 'merge', body });
  await waitFor(cluster, configMaps, place, fieldIs('{.data.text}', 'Hello, Ada!'));
  await cluster.patch(greetings, place, { type: 'merge', body: { spec: { word: 'Servus' } } });
  await waitFor(cluster, configMaps, place, fieldIs('{.data.text}', 'Servus, Ada!'));
  await waitFor(cluster, greetings, place, fieldIs('{.status.text}', 'Servus, Ada!'));
  await expect(cluster.patch(greetings, place, { type: 'merge', body: { spec: { word: 'Ada' } } })).rejects.toThrow(
    'spec: Invalid value: a name is no greeting',
  );
  const objects = [
    await cluster.get(greetings, place),
    await cluster.get(configMaps, place),
    await cluster.get(customResourceDefinitions, crd),
  ].map(stable);
  expect(errorsOf(program)).toEqual([]);
  await cluster.delete(greetings, place);
  await waitFor(cluster, greetings, place, deleted);
  await waitFor(cluster, configMaps, place, deleted);
  expect(program.log).toContain('goodbye Ada');
  return objects;
};

describe.each<readonly [RealPartName, Story]>([
  ['sample-controller', tellSample],
  ['controller-runtime', tellGreeter],
])('%s with a CRD of its own', (part, story) => {
  it('works on listwatch serve, and leaves what it leaves on a kube-apiserver', {
    ...needs(part),
    ...needs(findRealPart(part) === undefined ? part : 'kube-apiserver'),
    timeout: SLOW,
  }, async () => {
    await using own = await startOwn();
    const ours = await story(own);
    await using real = await startReal();
    expect(ours).toEqual(await story(real));
  });
});
