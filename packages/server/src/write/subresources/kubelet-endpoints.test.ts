import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InProcessServer } from '../../start/in-process-server.fixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SERVICES = '/api/v1/namespaces/default/services';
const MERGE = { type: 'application/merge-patch+json' };
const NO_ADDRESS = 'no preferred addresses found; known addresses: []';

const server = new InProcessServer();

const pod = (name: string, spec: object = {}): Promise<unknown> =>
  server.ok('POST', PODS, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

/** The code and the message of the answer. */
async function told(path: string, headers: { upgrade?: string } = {}): Promise<readonly unknown[]> {
  const user = { name: 'ada', groups: ['system:masters'] };
  const sent = headers.upgrade === undefined ? {} : { upgrade: headers.upgrade, connection: 'Upgrade' };
  const response = await server.server.handle({ method: 'GET', path, headers: sent }, { user });
  let text = '';
  for await (const part of response.body) text += Buffer.from(part).toString();
  return [response.status, text === '' ? '' : JSON.parse(text).message];
}

const codes = (path: string, methods: readonly string[]): Promise<readonly number[]> =>
  Promise.all(methods.map(async (method) => (await server.ask(method, path)).status));

beforeAll(async () => {
  await server.server.start();
  await pod('waiting');
  await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'silent' } });
  await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'named' } });
  const addresses = [
    { type: 'ExternalIP', address: '192.0.2.7' },
    { type: 'InternalIP', address: '10.0.0.9' },
  ];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 10_251 } } };
  await server.ok('PATCH', '/api/v1/nodes/named/status', JSON.stringify({ status }), MERGE);
  await pod('on-silent', { nodeName: 'silent' });
  await pod('on-named', { nodeName: 'named' });
  await pod('on-nothing', { nodeName: 'nothing' });
  const initContainers = [{ name: 'i', image: 'i' }];
  await pod('two', {
    initContainers,
    containers: [
      { name: 'a', image: 'i' },
      { name: 'b', image: 'i' },
    ],
  });
  const ports = [{ name: 'http', port: 80 }];
  await server.ok('POST', SERVICES, { metadata: { name: 'web' }, spec: { ports, selector: { a: 'b' } } });
});
afterAll(() => server.server.close());

const DIAL = 'dial tcp 10.0.0.9:10251: connect: connection refused';
const SEVERAL = 'a container name must be specified for pod two, choose one of: [i a b]';

describe('without kubelets', () => {
  it.each([
    ['missing', 404, 'pods "missing" not found'],
    ['waiting', 204, ''],
    ['on-silent', 500, NO_ADDRESS],
    ['on-nothing', 404, 'pods "nothing" not found'],
    ['on-named', 500, `Get "https://10.0.0.9:10251/containerLogs/default/on-named/c": ${DIAL}`],
    ['two', 400, SEVERAL],
  ])('the log of the Pod %s is answered with %d', async (name, code, message) => {
    expect(await told(`${PODS}/${name}/log`)).toEqual([code, message]);
  });

  it('the options of a log are checked, and passed on to the kubelet', async () => {
    expect(await told(`${PODS}/on-named/log?timestamps=true&tailLines=5&follow=true&container=c`)).toEqual([
      500,
      `Get "https://10.0.0.9:10251/containerLogs/default/on-named/c?follow=true&tailLines=5&timestamps=true": ${DIAL}`,
    ]);
    expect(await told(`${PODS}/waiting/log?container=x`)).toEqual([400, 'container x is not valid for pod waiting']);
    expect(await told(`${PODS}/waiting/log?tailLines=x`)).toEqual([
      400,
      'strconv.ParseInt: parsing "x": invalid syntax',
    ]);
    expect(await told(`${PODS}/waiting/log?tailLines=-1&limitBytes=0`)).toEqual([
      422,
      'PodLogOptions "waiting" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    ]);
    expect(await told(`${PODS}/waiting/log?sinceSeconds=5&sinceTime=2026-01-01T00:00:00Z`)).toEqual([
      422,
      'PodLogOptions "waiting" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ]);
  });

  it.each(['exec', 'attach', 'portforward'])('%s says what is missing', async (subresource) => {
    const ask = (name: string, headers = {}): Promise<unknown> => told(`${PODS}/${name}/${subresource}`, headers);
    expect(await ask('missing')).toEqual([404, 'pods "missing" not found']);
    expect(await ask('waiting')).toEqual([400, 'pod waiting does not have a host assigned']);
    expect(await ask('on-silent')).toEqual([500, NO_ADDRESS]);
    expect(await ask('on-nothing')).toEqual([404, 'pods "nothing" not found']);
    expect(await ask('on-named')).toEqual([400, 'Upgrade request required']);
    for (const upgrade of ['websocket', 'SPDY/3.1']) {
      expect(await ask('on-named', { upgrade })).toEqual([500, `error dialing backend: ${DIAL}`]);
    }
    const host = 'pod two does not have a host assigned';
    expect(await ask('two')).toEqual([400, subresource === 'portforward' ? host : SEVERAL]);
  });

  it.each([
    [`${PODS}/missing/proxy`, 404, 'pods "missing" not found'],
    [`${PODS}/waiting/proxy/a/b`, 400, 'address not allowed'],
    [`${PODS}/a:b:c:d/proxy/`, 400, 'invalid pod request "a:b:c:d"'],
    ['/api/v1/nodes/silent/proxy/metrics', 500, NO_ADDRESS],
    ['/api/v1/nodes/named/proxy/', 503, `error trying to reach service: ${DIAL}`],
    [`${SERVICES}/missing/proxy/`, 404, 'services "missing" not found'],
    [`${SERVICES}/web:99/proxy/`, 503, 'no service port 99 found for service "web"'],
    [`${SERVICES}/https:web:80/proxy/`, 404, 'services "web" not found'],
    [`${SERVICES}/ftp:web:80/proxy/`, 400, 'invalid service request "ftp:web:80"'],
  ])('the proxy %s is answered with %d', async (path, code, message) => {
    expect(await told(path)).toEqual([code, message]);
  });

  it.each(['169.254.169.254', '64:ff9b::a9fe:a9fe', 'fe80::1', '::1'])(
    'the proxy of a Pod that claims the address %s is refused',
    async (ip) => {
      const name = `ip-${ip.replaceAll(/[.:]+/gu, '-')}`;
      await pod(name);
      const status = JSON.stringify({ status: { podIP: ip, podIPs: [{ ip }] } });
      await server.ok('PATCH', `${PODS}/${name}/status`, status, MERGE);
      expect(await told(`${PODS}/${name}/proxy/`)).toEqual([400, 'address not allowed']);
    },
  );

  it('a proxy takes every method, exec only GET and POST', async () => {
    expect(await codes(`${PODS}/waiting/proxy/x`, ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])).toEqual([
      400, 400, 400, 400, 400,
    ]);
    expect(await codes(`${PODS}/waiting/exec`, ['POST', 'PUT', 'DELETE', 'PATCH'])).toEqual([400, 405, 405, 405]);
  });
});
