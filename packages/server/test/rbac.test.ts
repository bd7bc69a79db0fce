import { describe, expect, it } from 'vitest';
import { type Asked, type AskOptions, InProcessServer } from '../src/start/in-process-server.fixture.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const BOB: AskOptions = { user: { name: 'bob', groups: ['devs'] } };
const PODS = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const WRITE = {
  verbs: ['get', 'create', 'update', 'patch', 'delete'],
  apiGroups: [GROUP],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
};
const ROLES = `${RBAC}/namespaces/default/roles`;

const values = (letter: string): readonly string[] => Array.from({ length: 1000 }, (_, i) => `${letter}${i}`);
const NAMES = Array.from({ length: 9000 }, (_, i) => `name-${i}`.padEnd(30, 'x'));
const said = ({ status, body }: Asked): unknown => [status, body.message];
const role = (name: string, rules: readonly object[], more: object = {}): object => ({
  metadata: { name },
  rules,
  ...more,
});
const binding = (name: string, kind: string, to: string, user = 'bob'): object => ({
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind, name: to },
  subjects: [{ kind: 'User', apiGroup: GROUP, name: user }],
});

/** A server on which bob has these rules everywhere. */
async function withRules(...rules: readonly object[]): Promise<InProcessServer> {
  const server = await InProcessServer.start();
  await server.ok('POST', `${RBAC}/clusterroles`, role('bobs', rules));
  await server.ok('POST', `${RBAC}/clusterrolebindings`, binding('bobs', 'ClusterRole', 'bobs'));
  return server;
}

const notHeld = (what: string, name: string, ...lines: readonly string[]): unknown => [
  403,
  `${what}.${GROUP} "${name}" is forbidden: user "bob" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`,
];

describe('a role counts', () => {
  it('for the next request after its binding was written, and no longer than the binding', async () => {
    await using server = await withRules(PODS);
    const pods = '/api/v1/namespaces/default/pods';
    expect((await server.ask('GET', pods, undefined, BOB)).status).toBe(200);
    expect(said(await server.ask('DELETE', `${pods}/a`, undefined, BOB))).toEqual([
      403,
      'pods "a" is forbidden: User "bob" cannot delete resource "pods" in API group "" in the namespace "default"',
    ]);
    await server.ok('DELETE', `${RBAC}/clusterrolebindings/bobs`);
    expect((await server.ask('GET', pods, undefined, BOB)).status).toBe(403);
    await server.ok('POST', `${RBAC}/clusterrolebindings`, binding('late', 'ClusterRole', 'missing'));
    expect(said(await server.ask('GET', pods, undefined, BOB))).toEqual([
      403,
      `pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default": RBAC: clusterrole.${GROUP} "missing" not found`,
    ]);
  });

  it('for lists by name where it names objects', async () => {
    await using server = await withRules({ ...PODS, resourceNames: ['a'] });
    const status = async (query: string): Promise<number> =>
      (await server.ask('GET', `/api/v1/namespaces/default/pods${query}`, undefined, BOB)).status;
    expect(await status('?fieldSelector=metadata.name%3Da')).toBe(200);
    expect(await status('?fieldSelector=metadata.name%3Db')).toBe(403);
    expect(await status('')).toBe(403);
  });
});

describe('the writer of a role', () => {
  const SECRETS = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };
  const LINE = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';

  it('may grant what it has', async () => {
    await using server = await withRules(WRITE, PODS);
    const rules = [
      { ...PODS, resourceNames: ['x'] },
      { ...PODS, verbs: ['list'] },
    ];
    expect((await server.ask('POST', ROLES, role('r', rules), BOB)).status).toBe(201);
  });

  it.each<[string, (server: InProcessServer) => Promise<Asked>]>([
    ['POST', (server) => server.ask('POST', ROLES, role('r', [SECRETS]), BOB)],
    ['a dry run', (server) => server.ask('POST', `${ROLES}?dryRun=All`, role('r', [SECRETS]), BOB)],
    ['a PUT that creates', (server) => server.ask('PUT', `${ROLES}/r`, role('r', [SECRETS]), BOB)],
    [
      'a JSON patch',
      (server) =>
        server.ask('PATCH', `${ROLES}/r`, [{ op: 'replace', path: '/rules', value: [SECRETS] }], {
          ...BOB,
          type: 'application/json-patch+json',
        }),
    ],
    [
      'a merge patch',
      (server) =>
        server.ask('PATCH', `${ROLES}/r`, { rules: [SECRETS] }, { ...BOB, type: 'application/merge-patch+json' }),
    ],
    [
      'a strategic patch',
      (server) =>
        server.ask(
          'PATCH',
          `${ROLES}/r`,
          { rules: [SECRETS] },
          { ...BOB, type: 'application/strategic-merge-patch+json' },
        ),
    ],
    [
      'an apply',
      (server) =>
        server.ask(
          'PATCH',
          `${ROLES}/r?fieldManager=m&force=true`,
          { apiVersion: `${GROUP}/v1`, kind: 'Role', ...role('r', [SECRETS]) },
          { ...BOB, type: 'application/apply-patch+yaml' },
        ),
    ],
  ])('may not grant more: %s', async (what, send) => {
    await using server = await withRules(WRITE, PODS);
    if (what.includes('patch')) await server.ok('POST', ROLES, role('r', [PODS]));
    expect(said(await send(server))).toEqual(notHeld('roles', 'r', LINE));
  });

  it('may not grant more under a name that the server makes', async () => {
    await using server = await withRules(WRITE);
    const sent = { metadata: { generateName: 'r-' }, rules: [SECRETS] };
    expect(said(await server.ask('POST', ROLES, sent, BOB))).toEqual([
      403,
      expect.stringMatching(/^roles\.rbac\.authorization\.k8s\.io is forbidden: user "bob"/u),
    ]);
  });

  it('is told what is missing: sorted, verbs of a resource together, paths apart', async () => {
    await using server = await withRules(WRITE, { ...PODS, verbs: ['get'] });
    const rules = [
      { verbs: ['get', 'delete', 'delete'], apiGroups: ['b', 'a'], resources: ['x'], resourceNames: ['n'] },
      { verbs: ['get', 'post'], nonResourceURLs: ['/x'] },
    ];
    expect(said(await server.ask('POST', `${RBAC}/clusterroles`, role('r', rules), BOB))).toEqual(
      notHeld(
        'clusterroles',
        'r',
        '{APIGroups:["a"], Resources:["x"], ResourceNames:["n"], Verbs:["get" "delete" "delete"]}',
        '{APIGroups:["b"], Resources:["x"], ResourceNames:["n"], Verbs:["get" "delete" "delete"]}',
        '{NonResourceURLs:["/x"], Verbs:["get"]}',
        '{NonResourceURLs:["/x"], Verbs:["post"]}',
      ),
    );
  });

  it('may change owners and finalizers of a stronger role, and delete it, but not label it', async () => {
    await using server = await withRules(WRITE);
    const strong = await server.ok('POST', ROLES, role('r', [SECRETS]));
    expect((await server.ask('PUT', `${ROLES}/r`, strong, BOB)).status).toBe(200);
    const merge = { ...BOB, type: 'application/merge-patch+json' };
    const patched = (metadata: object): Promise<Asked> => server.ask('PATCH', `${ROLES}/r`, { metadata }, merge);
    expect((await patched({ finalizers: ['a/b'] })).status).toBe(200);
    expect((await patched({ finalizers: null })).status).toBe(200);
    expect(said(await patched({ labels: { a: 'b' } }))).toEqual(notHeld('roles', 'r', LINE));
    expect((await server.ask('DELETE', `${ROLES}/r`, undefined, BOB)).status).toBe(200);
  });

  it('may grant anything with the verb escalate, by name only where the path has the name', async () => {
    const escalate = { verbs: ['escalate'], apiGroups: [GROUP], resources: ['roles'], resourceNames: ['r'] };
    await using server = await withRules(WRITE, escalate);
    expect((await server.ask('POST', ROLES, role('r', [SECRETS]), BOB)).status).toBe(403);
    expect((await server.ask('PUT', `${ROLES}/r`, role('r', [SECRETS]), BOB)).status).toBe(201);
    expect((await server.ask('PUT', `${RBAC}/clusterroles/r`, role('r', [SECRETS]), BOB)).status).toBe(403);
  });

  it('needs all rights to use an aggregation rule', async () => {
    await using server = await withRules(WRITE);
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const send = (): Promise<Asked> =>
      server.ask('POST', `${RBAC}/clusterroles`, role('r', [], { aggregationRule }), BOB);
    expect(said(await send())).toEqual([
      403,
      `clusterroles.${GROUP} "r" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ]);
    await server.ok('POST', `${RBAC}/clusterrolebindings`, binding('all', 'ClusterRole', 'cluster-admin'));
    expect((await send()).status).toBe(201);
  });

  it('needs all rights to take an aggregation rule away', async () => {
    await using server = await withRules(WRITE, PODS);
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    await server.ok('POST', `${RBAC}/clusterroles`, role('collects', [], { aggregationRule }));
    const remove = (): Promise<Asked> =>
      server.ask('PUT', `${RBAC}/clusterroles/collects`, role('collects', [PODS]), BOB);
    expect(said(await remove())).toEqual([
      403,
      `clusterroles.${GROUP} "collects" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ]);
    await server.ok('POST', `${RBAC}/clusterrolebindings`, binding('all', 'ClusterRole', 'cluster-admin'));
    expect((await remove()).status).toBe(200);
  });

  it('may grant what it has in a namespace there, and nowhere else', async () => {
    await using server = await withRules(WRITE);
    await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await server.ok('POST', `${RBAC}/clusterroles`, role('secrets', [SECRETS]));
    await server.ok('POST', `${RBAC}/namespaces/default/rolebindings`, binding('b', 'ClusterRole', 'secrets'));
    expect((await server.ask('POST', ROLES, role('r', [SECRETS]), BOB)).status).toBe(201);
    const elsewhere = `${RBAC}/namespaces/other/roles`;
    expect(said(await server.ask('POST', elsewhere, role('r', [SECRETS]), BOB))).toEqual(notHeld('roles', 'r', LINE));
  });

  it('may not grant more in a role that is worked on in another thread', async () => {
    await using server = await withRules(WRITE, { ...PODS, apiGroups: ['g'] });
    const held = { ...PODS, verbs: ['get'], apiGroups: ['g'], resourceNames: NAMES };
    expect((await server.ask('POST', ROLES, role('large', [held]), BOB)).status).toBe(201);
    expect(said(await server.ask('POST', ROLES, role('r', [held, SECRETS]), BOB))).toEqual(notHeld('roles', 'r', LINE));
  });

  it('of a billion combinations is answered at once', async () => {
    await using server = await withRules(WRITE);
    const rule = { verbs: values('v'), apiGroups: values('g'), resources: values('r') };
    expect(said(await server.ask('POST', ROLES, role('r', [rule]), BOB))).toEqual([
      403,
      expect.stringContaining('too many combinations'),
    ]);
  });
});

describe('the writer of a binding', () => {
  const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;

  it('may bind roles whose rights it has', async () => {
    await using server = await withRules(WRITE, PODS);
    await server.ok('POST', `${RBAC}/clusterroles`, role('pods', [PODS]));
    expect((await server.ask('POST', BINDINGS, binding('b', 'ClusterRole', 'pods'), BOB)).status).toBe(201);
  });

  it('may not bind others, unless it may bind them by name', async () => {
    await using server = await withRules(WRITE);
    const strong = binding('b', 'ClusterRole', 'cluster-admin');
    expect(said(await server.ask('POST', BINDINGS, strong, BOB))).toEqual(
      notHeld(
        'rolebindings',
        'b',
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
        '{NonResourceURLs:["*"], Verbs:["*"]}',
      ),
    );
    const bind = { verbs: ['bind'], apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['cluster-admin'] };
    await server.ok('POST', ROLES, role('binder', [bind]));
    await server.ok('POST', BINDINGS, binding('binder', 'Role', 'binder'));
    expect((await server.ask('POST', BINDINGS, strong, BOB)).status).toBe(201);
    expect((await server.ask('POST', `${RBAC}/clusterrolebindings`, strong, BOB)).status).toBe(403);
  });

  it('is compared with the Role of the namespace, not with a ClusterRole of its name', async () => {
    await using server = await withRules(WRITE, PODS);
    await server.ok('POST', `${RBAC}/clusterroles`, role('same', [PODS]));
    await server.ok('POST', ROLES, role('same', [{ ...PODS, resources: ['secrets'] }]));
    expect((await server.ask('POST', BINDINGS, binding('b', 'Role', 'same'), BOB)).status).toBe(403);
    expect((await server.ask('POST', BINDINGS, binding('b', 'ClusterRole', 'same'), BOB)).status).toBe(201);
  });

  it('needs the verb bind on the kind of the role', async () => {
    const toAdmin = binding('b', 'ClusterRole', 'cluster-admin');
    for (const [plural, ofRole, ofClusterRole] of [
      ['roles', 201, 403],
      ['clusterroles', 403, 201],
    ] as const) {
      await using server = await withRules(WRITE, { verbs: ['bind'], apiGroups: [GROUP], resources: [plural] });
      await server.ok('POST', ROLES, role('strong', [{ ...PODS, resources: ['secrets'] }]));
      expect((await server.ask('POST', BINDINGS, binding('a', 'Role', 'strong'), BOB)).status).toBe(ofRole);
      expect((await server.ask('POST', BINDINGS, toAdmin, BOB)).status).toBe(ofClusterRole);
    }
  });

  it('may pass a role on where it is bound to it, also one that is too large to compare', async () => {
    await using server = await withRules(WRITE);
    await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const rule = { verbs: values('v'), apiGroups: values('g'), resources: values('r') };
    await server.ok('POST', `${RBAC}/clusterroles`, role('vast', [rule]));
    await server.ok('POST', BINDINGS, binding('b', 'ClusterRole', 'vast'));
    const toEve = binding('eve', 'ClusterRole', 'vast', 'eve');
    expect((await server.ask('POST', BINDINGS, toEve, BOB)).status).toBe(201);
    expect((await server.ask('POST', `${RBAC}/namespaces/other/rolebindings`, toEve, BOB)).status).toBe(403);
  });

  it('is told that the role is missing, and that a kind is none', async () => {
    await using server = await withRules(WRITE);
    expect(said(await server.ask('POST', BINDINGS, binding('b', 'Role', 'none'), BOB))).toEqual([
      404,
      `rolebindings.${GROUP} "none" not found`,
    ]);
    expect(said(await server.ask('POST', BINDINGS, binding('b', 'Rule', 'none'), BOB))).toEqual([
      500,
      'unsupported role reference kind: "Rule"',
    ]);
  });
});

describe('a server with another mode', () => {
  it('of AlwaysAllow lets everybody do everything', async () => {
    await using server = await InProcessServer.start({ authorization: 'AlwaysAllow' });
    expect((await server.ask('GET', '/api/v1/secrets', undefined, BOB)).status).toBe(200);
    const review = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    const { status } = await server.ok('POST', review, { spec: { namespace: 'a' } }, BOB);
    expect(status.resourceRules).toEqual([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
  });

  it('of AlwaysDeny refuses all but masters, after the others', async () => {
    await using server = await InProcessServer.start({ authorization: ['RBAC', 'AlwaysDeny'] });
    expect(said(await server.ask('GET', '/api/v1/secrets', undefined, BOB))).toEqual([
      403,
      'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" at the cluster scope: Everything is forbidden.',
    ]);
    expect((await server.ask('GET', '/api', undefined, BOB)).status).toBe(200);
    expect((await server.ask('GET', '/api/v1/secrets')).status).toBe(200);
  });

  it.each<[unknown, string]>([
    ['Rbac', 'there is no mode "Rbac"; there are AlwaysAllow, AlwaysDeny, Node, RBAC'],
    [[], 'name at least one mode'],
    [['RBAC', 'RBAC'], 'a mode is named twice in RBAC, RBAC'],
  ])('of %j does not start', (authorization, message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program without types could pass
    expect(() => new InProcessServer({ authorization: authorization as 'RBAC' })).toThrow(message);
  });
});
