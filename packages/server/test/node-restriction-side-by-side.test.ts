import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE, type NodeRequest, OBJECTS, REQUESTS } from './node-restriction-requests.ts';
import { startTestServer } from './test-server.ts';

/** One of the two servers. */
class NodeSide {
  readonly client: ApiClient;
  /** `kind/name` by uid, and uids by `kind/name`. */
  readonly #uids = new Map<string, string>();

  constructor(client: ApiClient) {
    this.client = client;
  }

  async prepare(): Promise<void> {
    for (const [path, body] of OBJECTS) {
      const { status, text } = await this.client.request('POST', path, { body });
      if (status !== 201 && status !== 409) throw new Error(`${path}: ${text}`);
      if (status === 201) this.#remember(path, text);
    }
  }

  /** The code and the text of a refusal; of what is allowed only the code. */
  async answer({ method, path, body, type, user = NODE }: NodeRequest): Promise<unknown> {
    const headers = {
      'impersonate-user': user.name,
      'impersonate-group': user.group,
      ...(type && { 'content-type': type }),
    };
    const sent =
      body &&
      JSON.parse(JSON.stringify(body).replaceAll(/UID:[a-z]+\/[a-z]+/gu, (name) => this.#uids.get(name) ?? name));
    const { status, text } = await this.client.request(method, path, { body: sent, headers });
    return status < 300 ? { status } : { status, text: this.#named(text) };
  }

  #remember(path: string, text: string): void {
    const { name, uid } = JSON.parse(text).metadata;
    this.#uids.set(`UID:${path.slice(path.lastIndexOf('/') + 1)}/${name}`, uid);
  }

  #named(text: string): string {
    let named = text;
    for (const [name, uid] of this.#uids) named = named.replaceAll(uid, name);
    return named;
  }
}

/** What we answer otherwise, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'a Pod: with the volume {"projected":{"sources":[{"clusterTrustBundle":{"name":"s","path":"p"}}]}}':
    'a source whose feature is off is dropped before admission: refused as an unknown one',
  'a Pod: with the volume {"projected":{"sources":[{"podCertificate":{"signerName":"a.b/c","keyType":"ED25519","keyPath":"k"}}]}}':
    'the same',
  'all Pods':
    'kube-apiserver looks for a Pod without a name, takes each for gone, and answers 200 without deleting any',
  'the phase of a claim': 'the text ends with the fields that changed, not with a diff of structs of Go',
  'a ConfigMap by a node without a name': 'only kinds that belong to nodes are looked at',
};

describe('NodeRestriction', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  const sides: NodeSide[] = [];

  beforeAll(async () => {
    // Everybody may do everything: only the plugin refuses.
    const flags = ['--authorization-mode=AlwaysAllow', '--enable-admission-plugins=NodeRestriction'];
    const real = await startKubeApiserver({ flags });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine, { authorization: 'AlwaysAllow', admissionPlugins: ['NodeRestriction'] });
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides.push(...[real, own].map((target) => new NodeSide(new ApiClient(target))));
    for (const side of sides) await side.prepare();
  }, 180_000);
  afterAll(async () => {
    for (const { client } of sides) client.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each(REQUESTS.filter(({ what }) => !Object.hasOwn(DIFFERENT, what)))(
    '$what: the answer of kube-apiserver',
    async (request) => {
      const [real, own] = await Promise.all(sides.map((side) => side.answer(request)));
      expect(own).toEqual(real);
    },
    30_000,
  );

  it('differs where this file says so: all but the last are refused on our server, and no Pod is deleted on either', async () => {
    const different = REQUESTS.filter(({ what }) => Object.hasOwn(DIFFERENT, what));
    expect(different).toHaveLength(Object.keys(DIFFERENT).length);
    for (const request of different) {
      const [real, own] = await Promise.all(sides.map((side) => side.answer(request)));
      expect(own).not.toEqual(real);
      expect(own).toMatchObject({ status: request.what.startsWith('a ConfigMap') ? 201 : 403 });
    }
    for (const { client } of sides) {
      const { items } = JSON.parse((await client.request('GET', '/api/v1/namespaces/default/pods')).text);
      const kept = items.filter(
        ({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string } }) =>
          metadata.deletionTimestamp === undefined,
      );
      expect(kept.length).toBeGreaterThanOrEqual(5);
    }
  }, 30_000);
});
