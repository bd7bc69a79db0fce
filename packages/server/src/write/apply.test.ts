import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserInfo } from '../contract/api-request.ts';
import type { Json } from '../start/in-process-server.fixture.ts';
import {
  APPLY,
  DEPLOYMENTS,
  deployment,
  MAPS,
  MERGE,
  map,
  messageOf,
  OwnerServer,
  owners,
  times,
} from './owners/owner.fixture.ts';

let server: OwnerServer;
let count = 0;

beforeAll(async () => {
  server = await OwnerServer.start();
});
afterAll(() => server.server.close());

/** A name that no other test uses. */
const fresh = (): string => `x${(count += 1)}`;
const as = (form: string): string => `application/json;as=${form};v=v1;g=meta.k8s.io`;
const at = (name: string): string => `${MAPS}/${name}`;
const typed = (name: string): string => `failed to create typed patch object (/${name}; /v1, Kind=ConfigMap): `;

describe('the request of an apply', () => {
  it('needs a manager', async () => {
    const answer = await server.ask('PATCH', at('x'), map('x'), { type: APPLY });
    expect(messageOf(answer)).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ]);
    expect(answer.body.details).toMatchObject({ group: 'meta.k8s.io', kind: 'PatchOptions' });
  });

  it.each([
    ['application/apply-patch+json', 415],
    ['application/apply-patch+cbor', 415],
    ['application/apply-patch+yaml;charset=utf-8', 201],
    ['APPLICATION/apply-patch+yaml', 201],
  ])('with %s is answered with %i', async (type, status) => {
    const name = fresh();
    const { status: got } = await server.ask('PATCH', `${at(name)}?fieldManager=a`, map(name), { type });
    expect(got).toBe(status);
  });

  it.each([
    ['nothing', '', 400, 'invalid object type: /, Kind='],
    ['null', 'null', 400, 'invalid object type: /, Kind='],
    ['an empty object', '{}', 400, 'invalid object type: /, Kind='],
    ['another kind', { ...map('x'), kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    ['another version', { ...map('x'), apiVersion: 'v2' }, 400, 'invalid object type: /v2, Kind=ConfigMap'],
    ['another group', { ...map('x'), apiVersion: 'g/v1' }, 400, 'invalid object type: g/v1, Kind=ConfigMap'],
    ['no version', { ...map('x'), apiVersion: 'a/b/c' }, 400, 'invalid object type: /, Kind='],
    ['a number as kind', { ...map('x'), kind: 5 }, 400, 'invalid object type: /v1, Kind='],
    [
      'a list',
      '[]',
      400,
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'half an object',
      '{',
      400,
      'error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content',
    ],
    ['managedFields', map('x', {}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    ['another name', map('zz', {}), 400, 'the name of the object (zz) does not match the name on the URL (x)'],
    [
      'no name for a missing object',
      { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } },
      400,
      'the name of the object (x based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      map('x', {}, { namespace: 'zz' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'the uid of a missing object',
      map('x', {}, { uid: 'abc' }),
      409,
      'Operation cannot be fulfilled on configmaps "x": uid mismatch: the provided object specified uid abc, and no existing object was found',
    ],
    [
      'a version that is none',
      map('x', {}, { resourceVersion: 'xx' }),
      500,
      'strconv.ParseUint: parsing "xx": invalid syntax',
    ],
    ['an unknown field', { ...map('x'), foo: 1 }, 500, `${typed('x')}.foo: field not declared in schema`],
    [
      'a number for a text',
      map('x', { a: 1 }),
      500,
      `${typed('x')}.data.a: expected string, got &value.valueUnstructured{Value:1}`,
    ],
    [
      'a YAML boolean for a text',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {b: on}\n',
      500,
      `${typed('x')}.data.b: expected string, got &value.valueUnstructured{Value:true}`,
    ],
    ['a text for a map', { ...map('x'), data: 'x' }, 500, `${typed('x')}.data: expected map, got &{x}`],
    [
      'the same owner twice',
      map('x', {}, { ownerReferences: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' })) }),
      500,
      `${typed('x')}.metadata.ownerReferences: duplicate entries for key [uid="u"]`,
    ],
    [
      'a time that is none',
      map('x', {}, { creationTimestamp: 'xx' }),
      500,
      'failed to convert new object (/x; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: parsing time "xx" as "2006-01-02T15:04:05Z07:00": cannot parse "xx" as "2006"',
    ],
  ])('with %s is refused', async (_, body, status, message) => {
    for (const validation of ['', '&fieldValidation=Ignore', '&fieldValidation=Strict']) {
      const answer = await server.apply(at('x'), body, 'a', validation);
      expect(messageOf(answer)).toEqual([status, message]);
      if (status === 500) expect([answer.body.reason, answer.body.details]).toEqual([undefined, undefined]);
    }
    expect((await server.ask('GET', at('x'))).status).toBe(404);
  });

  it('takes a fraction for no integer', async () => {
    const body = deployment('x', { replicas: 1.5 });
    expect(messageOf(await server.apply(`${DEPLOYMENTS}/x`, body))).toEqual([
      500,
      'failed to convert new object (/x; apps/v1, Kind=Deployment) to proper version: unable to convert unstructured object to apps/v1, Kind=Deployment: cannot convert float64 to int32',
    ]);
  });

  it('reads YAML 1.1, JSON and only the first document', async () => {
    const [yaml, json] = [fresh(), fresh()];
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${yaml}, managedFields: null}\nimmutable: no\ndata: {n1: "1"}\n---\nkind: [\n`;
    const fromYaml = await server.applied(at(yaml), text);
    const fromJson = await server.applied(at(json), { ...map(json, { n1: '1' }), immutable: false });
    expect([fromYaml.data, fromYaml.immutable]).toEqual([{ n1: '1' }, false]);
    expect(owners(fromYaml)).toEqual(owners(fromJson));
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {ports: [{port: 0x50}]}\n';
    const made = await server.applied('/api/v1/namespaces/default/services/svc', service);
    expect(made.spec.ports[0].port).toBe(80);
  });

  it.each([
    ['', [201, '299 - "line 4: key \\"k\\" already set in map"']],
    ['&fieldValidation=Warn', [201, '299 - "line 4: key \\"k\\" already set in map"']],
    ['&fieldValidation=Ignore', [201, undefined]],
    ['&fieldValidation=Strict', [400, undefined]],
  ])('with a key twice and %j', async (query, expected) => {
    const name = fresh();
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: a, k: b}\n`;
    const answer = await server.apply(at(name), text, 'a', query);
    expect([answer.status, answer.headers['warning']]).toEqual(expected);
    if (answer.status === 201) expect(answer.body.data).toEqual({ k: 'b' });
    else
      expect(answer.body.message).toBe(
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 4: key "k" already set in map',
      );
  });

  it('warns of a key that JSON has twice', async () => {
    const name = fresh();
    const json = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"k":"a","k":"b"}}`;
    const { body, headers } = await server.apply(at(name), json);
    expect([body.data, headers['warning']]).toEqual([{ k: 'b' }, '299 - "line 1: key \\"k\\" already set in map"']);
  });
});

describe('an apply', () => {
  it('creates a missing object and then writes only changes', async () => {
    const name = fresh();
    const created = await server.apply(at(name), map(name, { k: '1' }));
    const again = await server.apply(at(name), map(name, { k: '1' }));
    expect([created.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(created.body);
    await server.clock.advance(2000);
    expect((await server.apply(at(name), map(name, { k: '1' }))).body).toEqual(created.body);
    const changed = await server.applied(at(name), map(name, { k: '2' }));
    expect(changed.metadata.resourceVersion).not.toBe(created.body.metadata.resourceVersion);
    expect(times(changed)).not.toEqual(times(created.body));
  });

  it('may leave out the name of an existing object', async () => {
    const name = fresh();
    await server.applied(at(name), map(name, { k: '1' }));
    const { data } = await server.applied(at(name), { apiVersion: 'v1', kind: 'ConfigMap', data: { k: '2' } });
    expect(data).toEqual({ k: '2' });
  });

  it('that only names an object creates it without owners', async () => {
    const name = fresh();
    expect(owners(await server.applied(at(name), map(name)))).toEqual([]);
  });

  it('ignores the version of a missing object and compares that of an existing one', async () => {
    const name = fresh();
    const created = await server.apply(at(name), map(name, { k: '1' }, { resourceVersion: '99999' }));
    expect(created.status).toBe(201);
    const stale = await server.apply(at(name), map(name, { k: '2' }, { resourceVersion: '1' }));
    expect(messageOf(stale)).toEqual([
      409,
      `Operation cannot be fulfilled on configmaps "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    ]);
    const { resourceVersion } = created.body.metadata;
    expect((await server.apply(at(name), map(name, { k: '2' }, { resourceVersion }))).status).toBe(200);
  });

  it('cannot change the uid, and ignores other fields of the server', async () => {
    const name = fresh();
    const metadata = { creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' };
    const made = await server.applied(at(name), map(name, { k: '1' }, metadata));
    expect(made.metadata.selfLink).toBeUndefined();
    expect(made.metadata.creationTimestamp).not.toBe(metadata.creationTimestamp);
    expect(owners(made)).toEqual(['a Apply {"f:data":{"f:k":{}}}']);
    expect(messageOf(await server.apply(at(name), map(name, {}, { uid: 'zz' })))).toEqual([
      422,
      `ConfigMap "${name}" is invalid: metadata.uid: Invalid value: "zz": field is immutable`,
    ]);
  });

  it('as a dry run shows the result and stores nothing', async () => {
    const name = fresh();
    const { status, body } = await server.apply(at(name), map(name, { k: '1' }), 'a', '&dryRun=All');
    expect([status, body.metadata.resourceVersion]).toEqual([201, undefined]);
    expect(owners(body)).toEqual(['a Apply {"f:data":{"f:k":{}}}']);
    expect((await server.ask('GET', at(name))).status).toBe(404);
  });

  it('fails for a subresource of a missing object, a missing namespace and a collection', async () => {
    const missing = await server.apply(`${DEPLOYMENTS}/none/status`, deployment('none'));
    expect(messageOf(missing)).toEqual([404, 'deployments.apps "none" not found']);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'none' }, spec: { replicas: 1 } };
    expect((await server.apply(`${DEPLOYMENTS}/none/scale`, scale)).status).toBe(404);
    const elsewhere = await server.apply('/api/v1/namespaces/none/configmaps/x', map('x'));
    expect(messageOf(elsewhere)).toEqual([404, 'namespaces "none" not found']);
    expect((await server.apply(MAPS, map('x'))).status).toBe(405);
    expect((await server.apply('/api/v1/namespaces/default/pods/x/eviction', {})).status).toBe(405);
  });

  it('is answered as a Table and as metadata', async () => {
    const name = fresh();
    const path = `${at(name)}?fieldManager=a`;
    const options = { type: APPLY, accept: as('PartialObjectMetadata') };
    const metadata = await server.ok('PATCH', path, map(name, { k: '1' }), options);
    expect([metadata.kind, owners(metadata)]).toEqual(['PartialObjectMetadata', ['a Apply {"f:data":{"f:k":{}}}']]);
    const table = await server.ok('PATCH', path, map(name, { k: '1' }), { type: APPLY, accept: as('Table') });
    expect(owners(table.rows[0].object)).toEqual(['a Apply {"f:data":{"f:k":{}}}']);
  });

  it('dropping the last finalizer of a deleted object completes the deletion', async () => {
    const name = fresh();
    await server.applied(at(name), map(name, undefined, { finalizers: ['e.com/f'] }));
    const marked = await server.ok('DELETE', at(name));
    const held = await server.ok('GET', at(name));
    expect(marked.status).not.toBe('Failure');
    expect(owners(held)).toEqual(['a Apply {"f:metadata":{"f:finalizers":{"v:\\"e.com/f\\"":{}}}}']);
    expect((await server.apply(at(name), map(name))).status).toBe(200);
    expect((await server.ask('GET', at(name))).status).toBe(404);
  });

  it('is repeated when another write comes between', async () => {
    const name = fresh();
    await server.applied(at(name), map(name, { k: '0' }));
    const writes = Array.from({ length: 8 }, (_, index) =>
      server.apply(at(name), map(name, { [`k${index}`]: '1' }), `m${index}`),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200));
    const { data } = await server.ok('GET', at(name));
    expect(Object.keys(data)).toHaveLength(9);
  });
});

describe('the rights of an apply', () => {
  const user = { name: 'bob', groups: ['patchers'] };
  const authorizer = {
    authorize: ({ verb, user: { groups } }: { readonly verb: string; readonly user: UserInfo }) =>
      groups.includes('system:masters') || verb === 'patch' || verb === 'update'
        ? { allowed: true as const }
        : { allowed: false as const },
  };

  it('to create are checked when it creates, and not when it changes', async () => {
    const guarded = await OwnerServer.start({ authorizer });
    try {
      const path = `${at('guarded')}?fieldManager=a`;
      const refused = await guarded.ask('PATCH', path, map('guarded', { k: '1' }), { type: APPLY, user });
      expect(messageOf(refused)).toEqual([
        403,
        'configmaps "guarded" is forbidden: User "bob" cannot create resource "configmaps" in API group "" in the namespace "default"',
      ]);
      await guarded.applied(at('guarded'), map('guarded', { k: '1' }), 'other');
      const changed = await guarded.ask('PATCH', path, map('guarded', { l: '1' }), { type: APPLY, user });
      expect(changed.status).toBe(200);
      const lease = { metadata: { name: 'l' }, spec: {} };
      const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
      expect((await guarded.ask('PUT', leases, lease, { user })).status).toBe(403);
    } finally {
      await guarded.server.close();
    }
  });
});

describe('conflicts', () => {
  it('name the managers and the fields, and force takes the fields', async () => {
    const name = fresh();
    await server.applied(at(name), map(name, { k: '1', l: '1' }), 'm1');
    const conflict = await server.apply(at(name), map(name, { k: '2' }), 'b');
    expect(conflict.status).toBe(409);
    expect(conflict.body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "m1": .data.k',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.data.k' }] },
    });
    expect((await server.ok('GET', at(name))).data).toEqual({ k: '1', l: '1' });
    const forced = await server.applied(at(name), map(name, { k: '2' }), 'b', '&force=true');
    expect(owners(forced)).toEqual(['b Apply {"f:data":{"f:k":{}}}', 'm1 Apply {"f:data":{"f:l":{}}}'].toSorted());
  });

  it('with updates tell the version; two managers are both named', async () => {
    const name = fresh();
    await server.ok('POST', `${MAPS}?fieldManager=maker`, map(name, { k: '1' }));
    const one = await server.apply(at(name), map(name, { k: '2' }));
    expect(one.body.message).toBe('Apply failed with 1 conflict: conflict with "maker" using v1: .data.k');
    await server.applied(at(name), map(name, { k: '1' }), 'b');
    const two = await server.apply(at(name), map(name, { k: '2' }), 'c');
    expect(two.body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "b":\n- .data.k\nconflicts with "maker" using v1:\n- .data.k',
    );
  });

  it('of a manager with its own update are conflicts too', async () => {
    const name = fresh();
    await server.applied(at(name), map(name, { k: '1' }), 'm');
    const patched = await server.merged(at(name), { data: { k: '2' } }, 'm');
    expect(owners(patched)).toEqual(['m Update {"f:data":{"f:k":{}}}']);
    expect((await server.apply(at(name), map(name, { k: '1' }), 'm')).body.message).toContain(
      'conflict with "m" using v1',
    );
  });

  it('inside the last applied configuration of kubectl are forced by kubectl only', async () => {
    const name = fresh();
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const before = map(name, { k: '1', l: '2' });
    const posted = { ...before, metadata: { name, annotations: { [annotation]: `${JSON.stringify(before)}\n` } } };
    await server.ok('POST', `${MAPS}?fieldManager=kubectl-client-side-apply`, posted);
    expect((await server.apply(at(name), map(name, { k: '2' }), 'other')).status).toBe(409);
    const taken = await server.applied(at(name), map(name, { k: '2' }), 'kubectl');
    expect(taken.data).toEqual({ k: '2', l: '2' });
    expect(taken.metadata.annotations[annotation]).toBe(
      `{"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"${name}"}}\n`,
    );
  });
});

describe('large objects', () => {
  /** Its keys are nearly all of it, so that their owners double it. */
  const big: Json = Object.fromEntries(Array.from({ length: 3800 }, (_, i) => [`${'x'.repeat(240)}${i}`, '1']));

  it('that fit only without owners are stored without them by an update, and refused by an apply', async () => {
    const [posted, applied] = [fresh(), fresh()];
    const applying = await server.apply(at(applied), map(applied, big));
    expect([applying.status, applying.body.message]).toEqual([500, expect.stringContaining('too large')]);
    const created = await server.ok('POST', MAPS, map(posted, big));
    expect(created.metadata.managedFields).toBeUndefined();
    const patched = await server.ok('PATCH', `${at(posted)}?fieldManager=u`, '{"data":{"n":"1"}}', { type: MERGE });
    expect([patched.data.n, patched.metadata.managedFields]).toEqual(['1', undefined]);
  });
});
