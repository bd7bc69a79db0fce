import { resource } from '@listwatch/api';
import type { Transport, TransportRequest } from '@listwatch/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { RightsRecorder } from './rights-recorder.ts';

const websites = resource({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'Website',
  namespaced: true,
});
const PODS = '/api/v1/namespaces/a/pods';

let recorder: RightsRecorder;
let answers: number;
let transport: Transport;

async function close(): Promise<void> {}
async function* nothing(): AsyncGenerator<Uint8Array> {}

beforeEach(() => {
  recorder = new RightsRecorder();
  answers = 200;
  transport = recorder.decorate({
    name: 'fake',
    send: async () => ({ status: answers, headers: {}, body: nothing() }),
    close,
    [Symbol.asyncDispose]: close,
  });
});

async function send(method: TransportRequest['method'], path: string, body?: unknown): Promise<void> {
  const bytes = body === undefined ? {} : { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
  await transport.send({ method, path, headers: {}, ...bytes });
}

const noted = () =>
  recorder
    .used()
    .rights.map(({ verb, group, resource: name, namespace = '*', names }) =>
      [verb, group, name, namespace, ...(names ?? [])].join(' '),
    );

describe('the recorder of rights', () => {
  it('notes the verb of each request once, with the names of its objects', async () => {
    await send('GET', `${PODS}/x`);
    await send('GET', `${PODS}/y?resourceVersion=0`);
    await send('GET', `${PODS}/x`);
    await send('POST', PODS, {});
    await send('PATCH', `${PODS}/x/status`, {});
    await send('DELETE', PODS);
    await send('GET', '/api/v1/pods?watch=1');
    await send('GET', '/api/v1/namespaces/a');
    expect(noted()).toEqual([
      'get  namespaces * a',
      'watch  pods *',
      'create  pods a',
      'deletecollection  pods a',
      'get  pods a x y',
      'patch  pods/status a x',
    ]);
  });

  it('notes a refused request, too', async () => {
    answers = 403;
    await send('PUT', `${PODS}/x`, {});
    expect(noted()).toEqual(['update  pods a x']);
  });

  it('notes a list for a watch that streams the first state: other servers are asked for a list', async () => {
    await send('GET', '/api/v1/pods?watch=true&sendInitialEvents=true');
    expect(noted()).toEqual(['list  pods *', 'watch  pods *']);
  });

  it('notes the name that a list or a watch selects', async () => {
    await send('GET', `${PODS}?fieldSelector=metadata.name%3Dx`);
    await send('GET', `${PODS}?watch=true&fieldSelector=metadata.name%3Dx%2Cspec.nodeName%3Dn`);
    expect(noted()).toEqual(['list  pods a x', 'watch  pods a']);
  });

  it('notes a create for a PUT or an apply that made the object, and not for one that changed it', async () => {
    await send('PATCH', `${PODS}/x`, {});
    expect(noted()).toEqual(['patch  pods a x']);
    answers = 201;
    await send('PATCH', `${PODS}/x`, {});
    expect(noted()).toEqual(['create  pods a', 'patch  pods a x']);
  });

  it('notes the finalizers of an owner whose deletion a reference blocks, if it knows the kind', async () => {
    recorder.know(websites);
    const reference = { apiVersion: 'example.com/v2', kind: 'Website', name: 'w', uid: 'u' };
    const owned = (more: object) => ({ metadata: { name: 'x', ownerReferences: [{ ...reference, ...more }] } });
    await send('POST', PODS, owned({}));
    await send('POST', PODS, owned({ blockOwnerDeletion: true, kind: 'Other' }));
    for (const odd of ['[1]', 'null', '{', '{"metadata":{"ownerReferences":[null,{"blockOwnerDeletion":true}]}}']) {
      await send('PATCH', `${PODS}/x`, odd);
    }
    expect(noted()).toEqual(['create  pods a', 'patch  pods a x']);
    await send('POST', PODS, owned({ blockOwnerDeletion: true }));
    expect(noted()).toContain('update example.com websites/finalizers a');
  });

  it('notes paths outside the API, but none that everybody may read', async () => {
    for (const path of ['/version', '/apis/apps/v1', '/api', '/openapi/v3/apis/apps/v1', '/metrics', '/logs/a?b=c']) {
      await send('GET', path);
    }
    expect(recorder.used()).toEqual({ rights: [], paths: ['/logs/a', '/metrics'] });
  });

  it('wants get and create for a stream', async () => {
    const upgrade = { protocols: ['v5.channel.k8s.io'], maxMessageBytes: 1000 };
    await transport.send({ method: 'GET', path: `${PODS}/x/exec?command=ls`, headers: {}, upgrade });
    expect(noted()).toEqual(['create  pods/exec a x', 'get  pods/exec a x']);
  });

  it('keeps no more than 20 names and 5000 rights, and counts the rest', async () => {
    for (let index = 0; index < 21; index += 1) await send('GET', `${PODS}/x${index}`);
    expect(noted()).toEqual(['get  pods a']);
    for (let index = 0; index < 5010; index += 1) await send('GET', `/api/v1/namespaces/n${index}/pods`);
    expect([recorder.used().rights.length, recorder.leftOut]).toEqual([5000, 11]);
  });
});
