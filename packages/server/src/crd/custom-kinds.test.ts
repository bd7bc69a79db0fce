import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  CRDS,
  CustomServer,
  condition,
  LIMIT,
  MERGE,
  pathOf,
  specSchema,
  widget,
  widgets,
} from './custom-server.fixture.ts';

let server: CustomServer;
let count = 0;

beforeAll(async () => {
  server = await CustomServer.start();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** A group that no other test has. */
function newGroup(): string {
  count += 1;
  return `g${count}.example.com`;
}

const NAMES = { plural: 'widgets', kind: 'Widget' };

const managers = (entries: readonly Record<string, unknown>[]): readonly unknown[] =>
  entries.map(({ manager, operation, subresource }) => [manager, operation, subresource]);

describe('a definition', () => {
  it('has nothing in its status at first, and gets its names and conditions', async () => {
    const group = newGroup();
    const created = await server.ok('POST', CRDS, widgets(group));
    expect(created.metadata.generation).toBe(1);
    expect(created.status).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    const established = await server.established(`widgets.${group}`);
    expect(established.status.acceptedNames).toEqual({ ...NAMES, singular: 'widget', listKind: 'WidgetList' });
    expect(condition(established, 'NamesAccepted')).toMatchObject({
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    expect(condition(established, 'Established')).toMatchObject({ status: 'True', reason: 'InitialNamesAccepted' });
    expect((await server.ask('GET', pathOf(group))).body).toMatchObject({ kind: 'WidgetList', items: [] });
  });

  it('has the server among its field managers, and its APIService too', async () => {
    const group = newGroup();
    const { metadata } = await server.install(widgets(group));
    const own = metadata.managedFields.filter(({ manager }: Record<string, unknown>) => manager === 'kube-apiserver');
    expect(managers(own)).toEqual([['kube-apiserver', 'Update', 'status']]);
    expect(own[0].fieldsV1).toMatchObject({
      'f:status': { 'f:acceptedNames': { 'f:kind': {} }, 'f:conditions': { 'k:{"type":"Established"}': { '.': {} } } },
    });
    const service = await vi.waitFor(
      () => server.ok('GET', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`),
      LIMIT,
    );
    expect(managers(service.metadata.managedFields)).toEqual([['kube-apiserver', 'Update', undefined]]);
    expect(service.metadata.managedFields[0].fieldsV1).not.toHaveProperty('f:status');
  });

  it('cannot change its kind, scope, group or plural', async () => {
    const group = newGroup();
    const made = await server.install(widgets(group));
    const changed = { ...made, spec: { ...made.spec, scope: 'Cluster', names: { ...made.spec.names, kind: 'Other' } } };
    const { status, body } = await server.ask('PUT', `${CRDS}/widgets.${group}`, changed);
    expect(status).toBe(422);
    expect(body.details.causes.map((cause: { field: string }) => cause.field)).toEqual(
      expect.arrayContaining(['spec.scope', 'spec.names.kind']),
    );
  });

  it('gets new short names, and keeps those that it has when others are taken', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    await server.install({
      ...widgets(group, {}, { names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['gd'] } }),
      metadata: { name: `gadgets.${group}` },
    });
    const path = `${CRDS}/widgets.${group}`;
    const renamed = await server.ok('PATCH', path, { spec: { names: { shortNames: ['wd'] } } }, MERGE);
    expect(renamed.metadata.generation).toBe(2);
    await vi.waitFor(
      async () => expect((await server.ok('GET', path)).status.acceptedNames.shortNames).toEqual(['wd']),
      LIMIT,
    );
    await server.ok('PATCH', path, { spec: { names: { shortNames: ['gd'] } } }, MERGE);
    await vi.waitFor(async () => {
      const read = await server.ok('GET', path);
      expect(condition(read, 'NamesAccepted')).toMatchObject({
        status: 'False',
        reason: 'ShortNamesConflict',
        message: '"gd" is already in use',
      });
      expect(read.status.acceptedNames.shortNames).toEqual(['wd']);
      expect(condition(read, 'Established').status).toBe('True');
    }, LIMIT);
    expect((await server.ask('GET', pathOf(group))).status).toBe(200);
  });

  it('is not served while another has its kind, and is when the other is gone', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    const clashing = {
      ...widgets(group, {}, { names: { plural: 'gadgets', kind: 'Widget' } }),
      metadata: { name: `gadgets.${group}` },
    };
    await server.ok('POST', CRDS, clashing);
    await vi.waitFor(async () => {
      const read = await server.ok('GET', `${CRDS}/gadgets.${group}`);
      expect(condition(read, 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'ListKindConflict' });
      expect(condition(read, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
    }, LIMIT);
    const refused = await server.ask('GET', `/apis/${group}/v1/namespaces/default/gadgets`);
    expect(refused).toMatchObject({ status: 404, body: '404 page not found\n' });
    await server.uninstall(`widgets.${group}`);
    await server.established(`gadgets.${group}`);
    expect((await server.ask('GET', `/apis/${group}/v1/namespaces/default/gadgets`)).status).toBe(200);
  });

  it('keeps the versions that objects may be stored in', async () => {
    const group = newGroup();
    const made = await server.install(widgets(group));
    const [first] = made.spec.versions;
    const path = `${CRDS}/widgets.${group}`;
    const second = {
      ...made,
      spec: {
        ...made.spec,
        versions: [
          { ...first, storage: false },
          { ...first, name: 'v2' },
        ],
      },
    };
    const updated = await server.ok('PUT', path, { ...second, metadata: { ...made.metadata } });
    expect(updated.status.storedVersions).toEqual(['v1', 'v2']);
    const without = { ...updated, spec: { ...updated.spec, versions: [{ ...first, name: 'v2' }] } };
    const refused = await server.ask('PUT', path, without);
    expect(refused.body.message).toContain('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions');
    const emptied = await server.ok('PATCH', `${path}/status`, { status: { storedVersions: [] } }, MERGE);
    expect(emptied.status.storedVersions).toEqual(['v2']);
  });

  it('needs an approval in a group of Kubernetes', async () => {
    const group = 'foo.k8s.io';
    expect((await server.ask('POST', CRDS, widgets(group))).status).toBe(422);
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, x' };
    const made = await server.install({ ...widgets(group), metadata: { name: `widgets.${group}`, annotations } });
    expect(condition(made, 'KubernetesAPIApprovalPolicyConformant')).toMatchObject({
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: 'not approved: "unapproved, x"',
    });
  });

  it('with a broken CA bundle is created and never established', async () => {
    const group = newGroup();
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: 'Zm9v' }, conversionReviewVersions: ['v1'] },
    };
    await server.ok('POST', CRDS, widgets(group, {}, { conversion }));
    await vi.waitFor(async () => {
      const read = await server.ok('GET', `${CRDS}/widgets.${group}`);
      expect(condition(read, 'Established')).toMatchObject({
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      });
    }, LIMIT);
  });

  it('never takes the place of a built-in kind', async () => {
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, x' };
    const names = { plural: 'ingresses', kind: 'Ingress' };
    const definition = widgets('networking.k8s.io', {}, { names });
    await server.install({ ...definition, metadata: { name: 'ingresses.networking.k8s.io', annotations } });
    const list = await server.ok('GET', '/apis/networking.k8s.io/v1/namespaces/default/ingresses');
    expect(list).toMatchObject({ kind: 'IngressList' });
    const own = { plural: 'customresourcedefinitions', kind: 'Definition' };
    const name = 'customresourcedefinitions.apiextensions.k8s.io';
    const same = {
      ...widgets('apiextensions.k8s.io', { name: 'v7' }, { names: own }),
      metadata: { name, annotations },
    };
    await server.install(same);
    expect((await server.ask('GET', '/apis/apiextensions.k8s.io/v7/customresourcedefinitions')).status).toBe(404);
    await server.uninstall(name);
    expect((await server.ask('GET', `${CRDS}/ingresses.networking.k8s.io`)).status).toBe(200);
    await server.uninstall('ingresses.networking.k8s.io');
    expect((await server.ask('GET', '/apis/networking.k8s.io/v1/ingresses')).status).toBe(200);
  });
});

describe('discovery', () => {
  it('shows versions in their order, with the verbs and subresources of each', async () => {
    const group = newGroup();
    const made = widgets(group);
    const [first] = made.spec.versions;
    const names = ['v1alpha1', 'v1', 'v1beta1', 'foo', 'v10', 'v2'];
    made.spec.versions = names.map((name) => ({
      ...first,
      name,
      storage: name === 'v1',
      subresources: { status: {} },
    }));
    await server.install(made);
    const shown = await server.ok('GET', `/apis/${group}`);
    expect(shown.versions.map((one: { version: string }) => one.version)).toEqual([
      'v10',
      'v2',
      'v1',
      'v1beta1',
      'v1alpha1',
      'foo',
    ]);
    const resources = await server.ok('GET', `/apis/${group}/v2`);
    expect(resources.resources).toMatchObject([
      {
        name: 'widgets',
        singularName: 'widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      },
      { name: 'widgets/status', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
    ]);
    const service = await server.until(200, 'GET', `/apis/apiregistration.k8s.io/v1/apiservices/v10.${group}`);
    expect(service.body).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { group, version: 'v10', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
  });

  it('and its tag follow a definition, and forget it', async () => {
    const group = newGroup();
    const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
    const before = await server.ask('GET', '/apis', undefined, accept);
    await server.install(widgets(group));
    const after = await server.ask('GET', '/apis', undefined, accept);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    const [found] = after.body.items.filter((one: { metadata: { name: string } }) => one.metadata.name === group);
    expect(found.versions[0].resources[0]).toMatchObject({
      resource: 'widgets',
      responseKind: { group, version: 'v1', kind: 'Widget' },
    });
    await server.uninstall(`widgets.${group}`);
    expect((await server.ask('GET', '/apis', undefined, accept)).headers['etag']).toBe(before.headers['etag']);
    expect((await server.ask('GET', `/apis/${group}`)).status).toBe(404);
    await server.until(404, 'GET', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`);
  });

  it('has no versions that are not served, and requests for them find nothing', async () => {
    const group = newGroup();
    await server.install(widgets(group, { served: false }));
    expect((await server.ask('GET', pathOf(group))).body).toBe('404 page not found\n');
    expect((await server.ask('GET', `/apis/${group}`)).status).toBe(404);
  });
});

describe('OpenAPI', () => {
  it('publishes a kind, under another hash after each change', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    const name = `apis/${group}/v1`;
    const index = await server.ok('GET', '/openapi/v3');
    const { paths } = typeof index === 'string' ? JSON.parse(index) : index;
    const url = paths[name].serverRelativeURL;
    const document = await server.ok('GET', url);
    const type = `${group.split('.').toReversed().join('.')}.v1.Widget`;
    expect(document.components.schemas[type].properties.spec.properties.a).toEqual({ type: 'string' });
    expect(Object.keys(document.paths)).toContain(`/apis/${group}/v1/namespaces/{namespace}/widgets/{name}`);
    const version2 = await server.ok('GET', '/openapi/v2');
    expect(version2.definitions[type].properties.spec.properties.n).toEqual({ type: 'integer' });
    const schema = { openAPIV3Schema: specSchema({ b: { type: 'string' } }) };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
    await vi.waitFor(async () => expect((await server.ask('GET', url)).status).toBe(301), LIMIT);
    const after = await server.ok('GET', `/openapi/v3/${name}`);
    expect(after.components.schemas[type].properties.spec.properties).toEqual({ b: { type: 'string' } });
  }, 60_000);
});

describe('a watch', () => {
  it('goes on when the metadata of the definition changes, and ends without an event when its spec does', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    const list = await server.ok('GET', pathOf(group));
    const watch = await server.watch(`${pathOf(group)}?resourceVersion=${list.metadata.resourceVersion}`);
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { metadata: { labels: { a: 'b' } } }, MERGE);
    await server.ok('POST', pathOf(group), widget(group, 'one'));
    await vi.waitFor(() => expect(watch.events).toHaveLength(1), LIMIT);
    expect(watch.isEnded).toBe(false);
    const schema = { openAPIV3Schema: specSchema({ b: { type: 'string' } }) };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
    await vi.waitFor(() => expect(watch.isEnded).toBe(true), LIMIT);
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED']);
    const again = await server.watch(`${pathOf(group)}?resourceVersion=${list.metadata.resourceVersion}`);
    // The client must list again: it has objects as the schema before shows them.
    await vi.waitFor(() => expect(again.isEnded).toBe(true), LIMIT);
    const message = expect.stringMatching(/^too old resource version: \d+ \(\d+\)$/);
    expect(again.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired', message } }]);
    const now = await server.ok('GET', pathOf(group));
    const last = await server.watch(`${pathOf(group)}?resourceVersion=${now.metadata.resourceVersion}`);
    await server.ok('POST', pathOf(group), widget(group, 'two'));
    await vi.waitFor(() => expect(last.events.map(({ type }) => type)).toEqual(['ADDED']), LIMIT);
    last.stop();
  });

  it('sees the objects of a deleted definition go, and ends', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    await server.ok('POST', pathOf(group), widget(group, 'one'));
    const list = await server.ok('GET', pathOf(group));
    const watch = await server.watch(`${pathOf(group)}?resourceVersion=${list.metadata.resourceVersion}`);
    const deleted = await server.ok('DELETE', `${CRDS}/widgets.${group}`);
    expect(deleted.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect(condition(deleted, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionPending' });
    await vi.waitFor(() => expect(watch.isEnded).toBe(true), LIMIT);
    expect(watch.events.map(({ type }) => type)).toEqual(['DELETED']);
    await server.gone(`widgets.${group}`);
    expect((await server.ask('GET', pathOf(group))).body).toBe('404 page not found\n');
  });
});

describe('the deletion of a definition', () => {
  it('waits for objects with finalizers, and lets nothing be created meanwhile', async () => {
    const group = newGroup();
    const name = `widgets.${group}`;
    await server.install(widgets(group));
    const held = widget(group, 'held');
    await server.ok('POST', pathOf(group), { ...held, metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    expect((await server.ask('DELETE', `${CRDS}/${name}?dryRun=All`)).status).toBe(200);
    expect(condition(await server.ok('GET', `${CRDS}/${name}`), 'Terminating')).toBeUndefined();
    const wrong = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
    expect((await server.ask('DELETE', `${CRDS}/${name}`, wrong)).status).toBe(409);
    await server.ok('DELETE', `${CRDS}/${name}`);
    await vi.waitFor(async () => {
      const read = await server.ok('GET', `${CRDS}/${name}`);
      expect(condition(read, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionInProgress' });
    }, LIMIT);
    const refused = await server.ask('POST', pathOf(group), widget(group, 'late'));
    expect(refused).toMatchObject({
      status: 403,
      body: {
        message: `widgets.${group} is forbidden: create not allowed while custom resource definition is terminating`,
      },
    });
    const resources = await server.ok('GET', `/apis/${group}/v1`);
    expect(resources.resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    const recreated = await server.ask('POST', CRDS, widgets(group));
    expect(recreated).toMatchObject({ status: 409 });
    expect(recreated.body.message).toBe(
      `object is being deleted: customresourcedefinitions.apiextensions.k8s.io "${name}" already exists`,
    );
    expect((await server.ask('DELETE', `${CRDS}/${name}`)).status).toBe(200);
    await server.ok('PATCH', pathOf(group, '/held'), { metadata: { finalizers: null } }, MERGE);
    await vi.waitFor(async () => {
      await server.clock.advance(1000);
      expect((await server.ask('GET', `${CRDS}/${name}`)).status).toBe(404);
    }, LIMIT);
  });

  it('is over at once when it was never established', async () => {
    const group = newGroup();
    await server.install(widgets(group));
    const clashing = {
      ...widgets(group, {}, { names: { plural: 'gadgets', kind: 'Widget' } }),
      metadata: { name: `gadgets.${group}` },
    };
    await server.ok('POST', CRDS, clashing);
    await server.uninstall(`gadgets.${group}`);
    expect((await server.ask('GET', pathOf(group))).status).toBe(200);
  });
});

describe('servers on one store', () => {
  it('serve the same kinds, whichever was asked to make them', async () => {
    const engine = createMemoryEngine();
    const first = await CustomServer.start({ engine });
    const second = await CustomServer.start({ engine });
    const group = 'shared.example.com';
    await first.install(widgets(group));
    expect((await second.ask('POST', pathOf(group), widget(group, 'one', { spec: { a: 'x' } }))).status).toBe(201);
    expect((await first.ok('GET', pathOf(group))).items).toHaveLength(1);
    await second.uninstall(`widgets.${group}`);
    expect((await first.ask('GET', pathOf(group))).status).toBe(404);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await engine.close();
  });

  it('serve what is stored as soon as they have started, and end a deletion that was begun', async () => {
    const engine = createMemoryEngine();
    const first = await CustomServer.start({ engine });
    const [kept, deleted] = ['kept.example.com', 'deleted.example.com'];
    await first.install(widgets(kept));
    await first.install(widgets(deleted));
    await first.ok('POST', pathOf(kept), widget(kept, 'one'));
    await first.ok('POST', pathOf(deleted), {
      ...widget(deleted, 'x'),
      metadata: { name: 'x', finalizers: ['a.b/c'] },
    });
    await first.ok('DELETE', `${CRDS}/widgets.${deleted}`);
    await first[Symbol.asyncDispose]();
    const second = await CustomServer.start({ engine });
    expect((await second.ok('GET', pathOf(kept))).items).toHaveLength(1);
    await second.ok('PATCH', pathOf(deleted, '/x'), { metadata: { finalizers: null } }, MERGE);
    await vi.waitFor(async () => {
      await second.clock.advance(1000);
      expect((await second.ask('GET', `${CRDS}/widgets.${deleted}`)).status).toBe(404);
    }, LIMIT);
    await second[Symbol.asyncDispose]();
    await engine.close();
  });

  it('write nothing at their start for definitions that are served', async () => {
    const engine = createMemoryEngine();
    const first = await CustomServer.start({ engine });
    const group = 'quiet.example.com';
    await first.install(widgets(group));
    await first.until(200, 'GET', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`);
    await first[Symbol.asyncDispose]();
    const commit = vi.spyOn(engine, 'commit');
    const second = await CustomServer.start({ engine });
    // What the controller has begun is over when the server is.
    await second[Symbol.asyncDispose]();
    expect(commit.mock.calls.map(([{ key }]) => key).filter((key) => key.includes(group))).toEqual([]);
    await engine.close();
  });
});
