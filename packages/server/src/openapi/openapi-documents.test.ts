import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { KIND_TABLE } from '@listwatch/kinds/data';
import { KindSchemas } from '@listwatch/kinds/schemas';
import { describe, expect, it } from 'vitest';
import { OpenApiDocuments } from './openapi-documents.ts';

const KINDS = KIND_TABLE.filter(({ group }) => group === 'apps' || group === 'batch').map((data) => ({
  data,
  returnsDeletedObject: false,
}));
const MIB = 1024 * 1024;

function create(maxBytes = MIB): OpenApiDocuments {
  return new OpenApiDocuments({ kinds: KINDS, schemas: new KindSchemas(), maxBytes });
}

const documentOf = async (name: string): Promise<Readonly<Record<string, never>>> =>
  JSON.parse(String(await (await create().version3(name, 'json')).plain()));

describe('the index', () => {
  it('has the address of each document, with the hash of its JSON', async () => {
    const documents = create();
    const { paths } = JSON.parse(String(await documents.index()));
    expect(Object.keys(paths)).toEqual([
      '.well-known/openid-configuration',
      'api',
      'apis',
      'apis/apps',
      'apis/apps/v1',
      'apis/batch',
      'apis/batch/v1',
      'openid/v1/jwks',
      'version',
    ]);
    const json = await (await documents.version3('apis/batch/v1', 'json')).plain();
    const hash = createHash('sha512').update(json).digest('hex').toUpperCase();
    expect(paths['apis/batch/v1']).toEqual({ serverRelativeURL: `/openapi/v3/apis/batch/v1?hash=${hash}` });
  });

  it('has documents that are no objects, which take nothing', async () => {
    const documents = create();
    const whole = JSON.parse(String(await (await documents.version2('json')).plain()));
    expect(whole.paths['/openid/v1/jwks/']).toEqual({
      get: {
        produces: ['application/jwk-set+json'],
        schemes: ['https'],
        tags: ['openid'],
        operationId: 'getServiceAccountIssuerOpenIDKeyset',
        responses: { 200: { description: 'OK', schema: { type: 'string' } }, 401: { description: 'Unauthorized' } },
      },
    });
  });

  it('is the same in every server', async () => {
    expect(await create().index()).toEqual(await create().index());
  });

  it('is made again after a failure', async () => {
    const schemas = new KindSchemas();
    let failures = 1;
    const loadAll: KindSchemas['loadAll'] = async (types) => {
      if (failures-- > 0) throw new Error('no file');
      await schemas.loadAll(types);
    };
    const documents = new OpenApiDocuments({ kinds: KINDS, schemas: { set: schemas.set, loadAll }, maxBytes: MIB });
    await expect(documents.index()).rejects.toThrow('no file');
    expect(await documents.index()).toEqual(await create().index());
  });
});

describe('a document', () => {
  it('is kept packed, and is unpacked for those that do not take gzip', async () => {
    const document = await create().version3('apis/apps/v1', 'json');
    expect(gunzipSync(document.packed)).toEqual(await document.plain());
    expect(JSON.parse(String(await document.plain()))).toMatchObject({
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: '1.36' },
    });
  });

  it('is unpacked once for all that ask for it at the same time', async () => {
    const document = await create().version3('apis/apps/v1', 'json');
    const [one, two] = await Promise.all([document.plain(), document.plain()]);
    expect(one).toBe(two);
  });

  it('is made once for all that ask for it', async () => {
    const documents = create();
    const [one, two] = await Promise.all([
      documents.version3('apis/apps/v1', 'json'),
      documents.version3('apis/apps/v1', 'json'),
    ]);
    expect(one).toBe(two);
    expect(await documents.version3('apis/apps/v1', 'json')).toBe(one);
    expect(documents.bytes).toBe(one.packed.length);
  });

  it('has one hash in all its forms', async () => {
    const documents = create();
    const protobuf = await documents.version3('apis/apps/v1', 'protobuf');
    expect(protobuf.hash).toBe((await documents.version3('apis/apps/v1', 'json')).hash);
    expect(protobuf.packed).not.toEqual((await documents.version3('apis/apps/v1', 'json')).packed);
  });

  it('goes when others need its memory, those in use last, and is the same when it comes back', async () => {
    const probe = create();
    const sizes = await Promise.all(
      ['apis/apps/v1', 'apis/batch/v1'].map(async (name) => (await probe.version3(name, 'json')).packed.length),
    );
    const documents = create(Math.max(...sizes) + 1600);
    const first = await documents.version3('apis/apps', 'json');
    const apps = await documents.version3('apis/apps/v1', 'json');
    expect(await documents.version3('apis/apps', 'json')).toBe(first);
    await documents.version3('apis/batch/v1', 'json');
    expect(await documents.version3('apis/apps', 'json')).toBe(first);
    const again = await documents.version3('apis/apps/v1', 'json');
    expect(again).not.toBe(apps);
    expect(again.packed).toEqual(apps.packed);
    expect(documents.bytes).toBeLessThanOrEqual(Math.max(...sizes) + 1600);
  });

  it('that does not exist is an error', async () => {
    const documents = create();
    expect(documents.has('apis/nothing/v1')).toBe(false);
    await expect(documents.version3('apis/nothing/v1', 'json')).rejects.toThrow(RangeError);
  });
});

describe('operations', () => {
  it('stand at the paths that a client may ask', async () => {
    const { paths } = await documentOf('apis/batch/v1');
    expect(Object.keys(paths ?? {})).toEqual([
      '/apis/batch/v1/',
      '/apis/batch/v1/cronjobs',
      '/apis/batch/v1/jobs',
      '/apis/batch/v1/namespaces/{namespace}/cronjobs',
      '/apis/batch/v1/namespaces/{namespace}/cronjobs/{name}',
      '/apis/batch/v1/namespaces/{namespace}/cronjobs/{name}/status',
      '/apis/batch/v1/namespaces/{namespace}/jobs',
      '/apis/batch/v1/namespaces/{namespace}/jobs/{name}',
      '/apis/batch/v1/namespaces/{namespace}/jobs/{name}/status',
      '/apis/batch/v1/watch/cronjobs',
      '/apis/batch/v1/watch/jobs',
      '/apis/batch/v1/watch/namespaces/{namespace}/cronjobs',
      '/apis/batch/v1/watch/namespaces/{namespace}/cronjobs/{name}',
      '/apis/batch/v1/watch/namespaces/{namespace}/jobs',
      '/apis/batch/v1/watch/namespaces/{namespace}/jobs/{name}',
    ]);
  });

  it('share the parameters that all of a path have', async () => {
    const { paths } = await documentOf('apis/apps/v1');
    const path: unknown = Object(paths)['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'];
    const text = { type: 'string', uniqueItems: true };
    expect(path).toMatchObject({
      parameters: [
        { name: 'name', in: 'path', required: true, schema: text },
        { name: 'namespace', in: 'path', required: true, schema: text },
        { name: 'pretty', in: 'query', schema: text },
      ],
      patch: {
        operationId: 'patchAppsV1NamespacedDeploymentScale',
        parameters: [
          { name: 'dryRun' },
          { name: 'fieldManager' },
          { name: 'fieldValidation' },
          { name: 'force', in: 'query', schema: { type: 'boolean' } },
        ],
        'x-kubernetes-action': 'patch',
        'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      },
    });
  });
});

describe('version 2 while definitions change', () => {
  it('is made one at a time, and each request gets one that began after it', async () => {
    let changes = 0;
    const documents = new OpenApiDocuments({
      kinds: KINDS,
      schemas: new KindSchemas(),
      maxBytes: MIB,
      custom: () => new Map([['apis/x.example.com/v1', { hash: `h${changes}`, kinds: [] }]]),
    });
    const first = documents.version2('json');
    const later = Array.from({ length: 20 }, () => {
      changes += 1;
      return documents.version2('json');
    });
    const made = new Set(await Promise.all(later));
    expect([made.size, made.has(await first)]).toEqual([1, false]);
    // Nothing has changed since: it is the same document.
    expect(made.has(await documents.version2('json'))).toBe(true);
  });
});
