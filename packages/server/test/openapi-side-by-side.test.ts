import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from './test-server.ts';

type Json = Readonly<Record<string, unknown>>;

const disposables: AsyncDisposable[] = [];
let real: ApiClient;
let own: ApiClient;

describe('OpenAPI beside kube-apiserver, without descriptions', needs('kube-apiserver'), () => {
  beforeAll(async () => {
    const target = await startKubeApiserver();
    const server = await startTestServer(createMemoryEngine());
    disposables.push(target, server);
    [real, own] = [new ApiClient(target), new ApiClient(server)];
  }, 120_000);
  afterAll(async () => {
    for (const client of [real, own]) client?.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it('the index has the same documents, of what is served', async () => {
    const served = await isServed(own);
    expect(await names(own)).toEqual((await names(real)).filter((name) => served(`/${name}`)));
  });

  it('each document of version 3 has the same schemas and operations', async () => {
    for (const name of await names(own)) {
      const path = `/openapi/v3/${name}`;
      const [ours, theirs] = [await read(own, path), await read(real, path)];
      expect({ name, document: plain(ours) }).toEqual({ name, document: plain(theirs) });
    }
  }, 60_000);

  it('the document of version 2 has the same definitions and operations', async () => {
    const [ours, theirs] = [await read(own, '/openapi/v2'), await read(real, '/openapi/v2')];
    const served = await isServed(own);
    const { parameters, definitions, ...rest } = theirs;
    const paths = Object.fromEntries(Object.entries(record(rest['paths'])).filter(([path]) => served(path)));
    const reached = reachable(paths, record(definitions));
    const expected = inPlace({ ...rest, paths, definitions: reached }, record(parameters));
    expect(withoutSharedKinds(plain(ours))).toEqual(withoutSharedKinds(plain(expected)));
  }, 60_000);

  it.each([
    ['/openapi/v3', '*/*'],
    ['/openapi/v3/apis/apps/v1', ''],
    ['/openapi/v3/apis/apps/v1', 'application/*'],
    ['/openapi/v3/apis/apps/v1', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'],
    ['/openapi/v3/apis/apps/v1', 'application/yaml'],
    ['/openapi/v3/apis/apps/v1?hash=ABC', 'application/json'],
    ['/openapi/v3/apis/nope/v1', 'application/json'],
    ['/openapi/v3/', 'application/json'],
    ['/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'],
    ['/openapi/v2', 'text/plain'],
    ['/openapi/v2/x', ''],
  ])('%s accepted as %j has the same status and type', async (path, accept) => {
    const seen = async (client: ApiClient): Promise<unknown> => {
      const { status, headers } = await client.request('GET', path, { headers: { accept } });
      return { status, type: headers['content-type'], cache: headers['cache-control'] };
    };
    expect(await seen(own)).toEqual(await seen(real));
  });
});

/** Is a path of kube-apiserver served here? Groups and versions are as discovery says. */
async function isServed(client: ApiClient): Promise<(path: string) => boolean> {
  const { groups } = record(JSON.parse((await client.get('/apis')).text));
  const versions = (Array.isArray(groups) ? groups : []).flatMap((group) => record(group)['versions'] ?? []);
  const found = versions.map((version) => `/apis/${String(record(version)['groupVersion'])}/`);
  return (path) => {
    const [, root, group, version] = path.split('/');
    return root !== 'apis' || (version ?? '') === '' || found.includes(`/apis/${group}/${version}/`);
  };
}

/** The definitions that paths refer to, also through others. */
function reachable(paths: Json, definitions: Json): Json {
  const found: Record<string, unknown> = {};
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/definitions\/([^"]+)"/gu)) {
      if (Object.hasOwn(found, name)) continue;
      found[name] = definitions[name];
      visit(definitions[name]);
    }
  };
  visit(paths);
  // Only references to parameters lead to these two.
  for (const name of ['DeleteOptions', 'Patch']) {
    const full = `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
    found[full] = definitions[full];
    visit(definitions[full]);
  }
  return found;
}

/** Kinds of all groups and versions: kube-apiserver names those that it does not serve, too. */
function withoutSharedKinds(document: unknown): unknown {
  const definitions = { ...record(record(document)['definitions']) };
  for (const kind of ['DeleteOptions', 'WatchEvent']) {
    const name = `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
    const { 'x-kubernetes-group-version-kind': _kinds, ...rest } = record(definitions[name]);
    definitions[name] = rest;
  }
  return { ...record(document), definitions };
}

async function names(client: ApiClient): Promise<readonly string[]> {
  return Object.keys(record((await read(client, '/openapi/v3'))['paths']));
}

async function read(client: ApiClient, path: string): Promise<Json> {
  return record(JSON.parse((await client.get(path)).text));
}

function record(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new TypeError(`no object: ${String(value)}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object of JSON
  return value as Json;
}

/** Without texts, without unions, with references in place, and with what is required in order. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, ...rest } = record(value);
  const entries = Object.entries(rest)
    .filter(([name, member]) => !(name === 'description' && typeof member === 'string'))
    .filter(([name, member]) => !(name === 'x-kubernetes-unions' && Array.isArray(member)))
    .map(([name, member]) => [name, isTexts(name, member) ? member.toSorted() : plain(member)]);
  // A reference with words beside it: ours has no description there, so that it may stand alone.
  const ref =
    Array.isArray(allOf) && allOf.length === 1 ? plain(allOf[0]) : allOf === undefined ? {} : { allOf: plain(allOf) };
  return { ...Object.fromEntries(entries), ...record(ref) };
}

function isTexts(name: string, member: unknown): member is readonly string[] {
  return name === 'required' && Array.isArray(member);
}

/** With parameters in place of references to them. */
function inPlace(value: unknown, parameters: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => inPlace(item, parameters));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = record(value);
  const shared = '#/parameters/';
  if (typeof $ref === 'string' && $ref.startsWith(shared)) return parameters[$ref.slice(shared.length)];
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inPlace(member, parameters)]));
}
