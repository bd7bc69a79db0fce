import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signUserToken, USER_RECORD, userRecordName } from '../src/access/authentication/user-token.ts';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

const RBAC = 'rbac.authorization.k8s.io';
const MAPS = '/api/v1/namespaces/default/configmaps';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Holder {
  readonly token: string;
  /** Takes away what the requests of the holder need. */
  readonly revoke: () => Promise<unknown>;
  /** What the next request is answered. */
  readonly after: number;
}

async function bind(server: InProcessServer, subject: object): Promise<void> {
  const rules = [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps'] }];
  await server.ok('POST', `/apis/${RBAC}/v1/clusterroles`, { metadata: { name: 'reads' }, rules });
  await server.ok('POST', `/apis/${RBAC}/v1/clusterrolebindings`, {
    metadata: { name: 'reads' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'reads' },
    subjects: [subject],
  });
}

async function userToken(server: InProcessServer): Promise<string> {
  const metadata = { name: userRecordName('1') };
  const secrets = `/api/v1/namespaces/${USER_RECORD.namespace}/secrets`;
  await server.ok('POST', secrets, { metadata, type: USER_RECORD.type });
  const issued = server.clock.now();
  return signUserToken({ id: '1', name: 'eve', groups: [], issued, expires: issued + 3_600_000 }, KEY);
}

const EVE = { kind: 'User', apiGroup: RBAC, name: 'eve' };
const HOLDERS: Readonly<Record<string, (server: InProcessServer) => Promise<Holder>>> = {
  async 'a binding'(server) {
    await bind(server, EVE);
    const revoke = (): Promise<unknown> => server.ok('DELETE', `/apis/${RBAC}/v1/clusterrolebindings/reads`);
    return { token: await userToken(server), revoke, after: 403 };
  },
  async 'a token'(server) {
    await bind(server, EVE);
    const record = `/api/v1/namespaces/${USER_RECORD.namespace}/secrets/${userRecordName('1')}`;
    return { token: await userToken(server), revoke: () => server.ok('DELETE', record), after: 401 };
  },
  async 'a service account'(server) {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.ok('POST', accounts, { metadata: { name: 'robot' } });
    await bind(server, { kind: 'ServiceAccount', namespace: 'default', name: 'robot' });
    const { status } = await server.ok('POST', `${accounts}/robot/token`, { spec: {} });
    return { token: status.token, revoke: () => server.ok('DELETE', `${accounts}/robot`), after: 401 };
  },
};

describe('an open watch, as in Kubernetes,', () => {
  it.each(Object.entries(HOLDERS))('goes on when %s is revoked; the next request is refused', async (_what, hold) => {
    await using server = await InProcessServer.start({ authentication: { userTokenKey: KEY } });
    const { token, revoke, after } = await hold(server);
    const headers = { authorization: `Bearer ${token}` };
    const watch = await server.server.handle({ method: 'GET', path: `${MAPS}?watch=true&resourceVersion=0`, headers });
    expect(watch.status).toBe(200);
    const events = watch.body[Symbol.asyncIterator]();
    await revoke();
    expect((await server.ask('GET', MAPS, undefined, { token })).status).toBe(after);
    await server.ok('POST', MAPS, { metadata: { name: 'written-later' } });
    let text = '';
    while (!text.includes('written-later')) {
      const { value, done } = await events.next();
      if (done === true) break;
      text += Buffer.from(value).toString();
    }
    expect(text).toContain('written-later');
    await events.return?.();
  });
});
