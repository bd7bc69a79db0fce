import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../contract/api-request.ts';
import type { AccessAttributes, Authorizer } from '../contract/authorization.ts';
import { Registry } from '../contract/metrics.ts';
import { parseRoute } from '../route/parse-route.ts';
import { accessAttributes, mastersAuthorizer } from './authorizer.ts';
import { readImpersonation } from './impersonation-headers.ts';
import { Impersonator } from './impersonator.ts';

const ADMIN: UserInfo = { name: 'admin', groups: ['system:masters'] };
const PAUL: UserInfo = { name: 'paul', groups: ['dev'] };
const MAPS = '/api/v1/namespaces/default/configmaps';

/** Acts with the given headers on a list of configmaps. */
async function act(
  headers: readonly string[],
  user = ADMIN,
  authorizer: Authorizer = mastersAuthorizer(),
  impersonator = new Impersonator(authorizer),
): Promise<UserInfo> {
  const wanted = readImpersonation(headers);
  if (wanted === undefined) throw new Error('no impersonation');
  return impersonator.impersonate(accessAttributes(parseRoute('GET', { path: MAPS, query: '' }), user), wanted);
}

/** Allows what is listed as `verb resource/subresource.group namespace/name`; remembers what it was asked. */
function rights(...allowed: readonly string[]): Authorizer & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    authorize: ({ verb, resource, subresource, group, namespace, name }: AccessAttributes) => {
      const target = `${resource}${subresource && `/${subresource}`}${group && `.${group}`}`;
      const right = `${verb} ${target} ${namespace && `${namespace}/`}${name}`;
      asked.push(right);
      return { allowed: allowed.includes(right) };
    },
  };
}

describe('the headers', () => {
  it('name a user, groups, a uid and extras, in any case and in UTF-8', () => {
    const raw = ['Host', 'x', 'impersonate-User', 'bob', 'Impersonate-Group', 'a,b', 'IMPERSONATE-GROUP', 'c'];
    const more = [
      'Impersonate-Uid',
      '7',
      'Impersonate-Extra-Acme.io%2FScopes',
      'x',
      'impersonate-extra-acme.io%2fscopes',
      'y',
    ];
    expect(readImpersonation([...raw, ...more])).toEqual({
      name: 'bob',
      uid: '7',
      groups: ['a,b', 'c'],
      extra: new Map([['acme.io/scopes', ['x', 'y']]]),
    });
    expect(readImpersonation(['impersonate-user', Buffer.from('é').toString('latin1')])?.name).toBe('é');
    expect(readImpersonation(['impersonate-user', 'b', 'impersonate-extra-%zz', 'x'])?.extra.get('%zz')).toEqual(['x']);
  });

  it('that are absent or empty ask for nothing', () => {
    expect(readImpersonation(['host', 'x', 'if-match', '1'])).toBeUndefined();
    expect(readImpersonation(['impersonate-user', ''])).toBeUndefined();
  });

  it.each([
    [['Impersonate-Group', 'g'], 'UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)'],
    [['Impersonate-Uid', 'u'], 'UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    [['Impersonate-Extra-K', 'v'], 'UID:"", Groups:[]string(nil), Extra:map[string][]string{"k":[]string{"v"}}'],
  ])('%j without a user is a 400', (headers, text) => {
    expect(() => readImpersonation(headers)).toThrow(
      expect.objectContaining({
        httpCode: 400,
        message: `requested &user.DefaultInfo{Name:"", ${text}} without impersonating a user name`,
      }),
    );
  });
});

describe('the impersonated user', () => {
  it.each([
    [['bob'], ['system:authenticated']],
    [
      ['bob', 'dev'],
      ['dev', 'system:authenticated'],
    ],
    [
      ['bob', 'system:authenticated', 'dev'],
      ['system:authenticated', 'dev'],
    ],
    [['bob', 'system:unauthenticated'], ['system:unauthenticated']],
    [
      ['bob', 'system:masters'],
      ['system:masters', 'system:authenticated'],
    ],
    [['system:anonymous'], ['system:unauthenticated']],
    [
      ['system:anonymous', 'dev'],
      ['dev', 'system:unauthenticated'],
    ],
    [['system:serviceaccount:a:b'], ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated']],
    [
      ['system:serviceaccount:a:b', 'dev'],
      ['dev', 'system:authenticated'],
    ],
    [['system:serviceaccount:a'], ['system:authenticated']],
    [['system:node:n1'], ['system:nodes', 'system:authenticated']],
    [
      ['system:node:n1', 'dev'],
      ['dev', 'system:authenticated'],
    ],
  ])('%j of a master is in %j', async ([name = '', ...groups], expected) => {
    const headers = ['impersonate-user', name, ...groups.flatMap((group) => ['impersonate-group', group])];
    expect(await act(headers)).toEqual({ name, groups: expected });
  });

  it('has the uid and the extras of the headers', async () => {
    expect(await act(['impersonate-user', 'bob', 'impersonate-uid', '7', 'impersonate-extra-k', 'v'])).toEqual({
      name: 'bob',
      uid: '7',
      groups: ['system:authenticated'],
      extra: { k: ['v'] },
    });
  });
});

describe('the rights that impersonation needs', () => {
  const BOB = ['impersonate-user', 'bob'];
  const ALL = [...BOB, 'impersonate-uid', '7', 'impersonate-group', 'g', 'impersonate-extra-acme.io%2fk', 'v'];

  it('name the selectors of the request: who may act on selected objects only is asked about those', async () => {
    const asked: AccessAttributes[] = [];
    const authorizer: Authorizer = {
      authorize: (attributes) => {
        asked.push(attributes);
        return { allowed: false };
      },
    };
    const wanted = readImpersonation(BOB);
    if (wanted === undefined) throw new Error('no impersonation');
    const query = 'fieldSelector=metadata.name%3Dm&labelSelector=app';
    const attributes = accessAttributes(parseRoute('GET', { path: MAPS, query }), PAUL);
    const { fieldSelector, labelSelector } = attributes;
    await expect(new Impersonator(authorizer).impersonate(attributes, wanted)).rejects.toMatchObject({ httpCode: 403 });
    const acting = asked.find(({ verb }) => verb === 'impersonate-on:user-info:list');
    expect([fieldSelector?.length, labelSelector?.length]).toEqual([1, 1]);
    expect([acting?.fieldSelector, acting?.labelSelector]).toEqual([fieldSelector, labelSelector]);
  });

  it('are `impersonate` on each part', async () => {
    const legacy = [
      'impersonate users bob',
      'impersonate uids.authentication.k8s.io 7',
      'impersonate groups g',
      'impersonate userextras/acme.io/k.authentication.k8s.io v',
    ];
    const authorizer = rights(...legacy);
    expect(await act(ALL, PAUL, authorizer)).toMatchObject({ name: 'bob', uid: '7' });
    expect(authorizer.asked).toEqual(['impersonate-on:user-info:list configmaps default/', ...legacy]);
    for (const missing of legacy) {
      await expect(act(ALL, PAUL, rights(...legacy.filter((right) => right !== missing)))).rejects.toMatchObject({
        httpCode: 403,
      });
    }
  });

  it('or the constrained ones: on the user, and on what is done as that user', async () => {
    const constrained = [
      'impersonate-on:user-info:list configmaps default/',
      'impersonate:user-info users.authentication.k8s.io bob',
      'impersonate:user-info uids.authentication.k8s.io 7',
      'impersonate:user-info groups.authentication.k8s.io g',
      'impersonate:user-info userextras/acme.io/k.authentication.k8s.io v',
    ];
    const authorizer = rights(...constrained);
    expect(await act(ALL, PAUL, authorizer)).toMatchObject({ name: 'bob' });
    expect(authorizer.asked).toEqual(constrained);
  });

  it.each([
    ['system:serviceaccount:a:b', 'serviceaccount', 'serviceaccounts', 'a/b'],
    ['system:node:n1', 'arbitrary-node', 'nodes', 'n1'],
  ])('for %s are on its own resource', async (name, mode, resource, target) => {
    const authorizer = rights(
      `impersonate-on:${mode}:list configmaps default/`,
      `impersonate:${mode} ${resource}.authentication.k8s.io ${target}`,
    );
    expect(await act(['impersonate-user', name], PAUL, authorizer)).toMatchObject({ name });
  });

  it('for a service account may be the plain ones, in its namespace', async () => {
    const headers = ['impersonate-user', 'system:serviceaccount:a:b'];
    expect(await act(headers, PAUL, rights('impersonate serviceaccounts a/b'))).toMatchObject({
      groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
    });
  });

  it('for the node of a pod are on any node, and without its name', async () => {
    const extra = { 'authentication.kubernetes.io/node-name': ['n1'] };
    const agent = { name: 'system:serviceaccount:a:agent', groups: [], extra };
    const authorizer = rights(
      'impersonate-on:associated-node:list configmaps default/',
      'impersonate:associated-node nodes.authentication.k8s.io *',
    );
    expect(await act(['impersonate-user', 'system:node:n1'], agent, authorizer)).toMatchObject({
      name: 'system:node:n1',
      groups: ['system:nodes', 'system:authenticated'],
    });
    await expect(act(['impersonate-user', 'system:node:n2'], agent, authorizer)).rejects.toMatchObject({
      httpCode: 403,
    });
  });

  it('never include system:masters, but for the plain `impersonate`', async () => {
    const headers = [...BOB, 'impersonate-group', 'system:masters'];
    const constrained = rights(
      'impersonate-on:user-info:list configmaps default/',
      'impersonate:user-info users.authentication.k8s.io bob',
      'impersonate:user-info groups.authentication.k8s.io system:masters',
    );
    await expect(act(headers, PAUL, constrained)).rejects.toMatchObject({
      message: expect.stringContaining('impersonating the system:masters group is not allowed'),
    });
    const plain = rights('impersonate users bob', 'impersonate groups system:masters');
    expect(await act(headers, PAUL, plain)).toMatchObject({ groups: ['system:masters', 'system:authenticated'] });
  });

  it('do not cover a key of an extra that no rule can name; the answer names no value', async () => {
    const headers = [...BOB, 'impersonate-extra-key', 'v'];
    const constrained = rights(
      'impersonate-on:user-info:list configmaps default/',
      'impersonate:user-info users.authentication.k8s.io bob',
    );
    await expect(act(headers, PAUL, constrained)).rejects.toMatchObject({
      status: { details: { group: 'authentication.k8s.io', kind: 'userextras' } },
      message: expect.stringMatching(
        /^userextras\.authentication\.k8s\.io is forbidden: .* resource "userextras" in API group .*must be a domain-prefixed path/u,
      ) as unknown,
    });
  });

  it('that are missing are a 403 in the words of kube-apiserver', async () => {
    await expect(act(BOB, PAUL)).rejects.toMatchObject({
      httpCode: 403,
      message:
        'configmaps is forbidden: User "paul" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "default"',
    });
  });
});

describe('the mode that a user succeeded with', () => {
  const BOB = ['impersonate-user', 'bob'];

  it('is tried first from then on, and its refusal is reported', async () => {
    const authorizer = rights('impersonate users bob');
    const impersonator = new Impersonator(authorizer);
    const eve = ['impersonate-user', 'eve'];
    await expect(act(eve, PAUL, authorizer, impersonator)).rejects.toThrow(
      'cannot impersonate-on:user-info:list resource',
    );
    expect(await act(BOB, PAUL, authorizer, impersonator)).toMatchObject({ name: 'bob' });
    authorizer.asked.length = 0;
    expect(await act(BOB, PAUL, authorizer, impersonator)).toMatchObject({ name: 'bob' });
    expect(authorizer.asked).toEqual(['impersonate users bob']);
    await expect(act(eve, PAUL, authorizer, impersonator)).rejects.toThrow('cannot impersonate resource "users"');
    const ann = { name: 'ann', groups: [] };
    await expect(act(eve, ann, authorizer, impersonator)).rejects.toThrow(
      'cannot impersonate-on:user-info:list resource',
    );
  });

  it('decides which groups a node gets from masters', async () => {
    const impersonator = new Impersonator(mastersAuthorizer());
    const node = ['impersonate-user', 'system:node:n'];
    expect((await act(node, ADMIN, undefined, impersonator)).groups).toContain('system:nodes');
    await act([...node, 'impersonate-group', 'system:masters'], ADMIN, undefined, impersonator);
    expect((await act(node, ADMIN, undefined, impersonator)).groups).toEqual(['system:authenticated']);
  });

  it('is remembered for ten thousand users, and told', async () => {
    const authorizer = rights('impersonate users bob');
    const impersonator = new Impersonator(authorizer);
    for (let index = 0; index <= 10_000; index += 1) {
      await act(BOB, { name: `user-${index}`, groups: [] }, authorizer, impersonator);
    }
    authorizer.asked.length = 0;
    await act(BOB, { name: 'user-1', groups: [] }, authorizer, impersonator);
    await act(BOB, { name: 'user-0', groups: [] }, authorizer, impersonator);
    expect(authorizer.asked).toHaveLength(3);
    const modes: string[] = [];
    const request = accessAttributes(parseRoute('GET', { path: MAPS, query: '' }), ADMIN);
    const wanted = readImpersonation(BOB) ?? expect.fail();
    await new Impersonator(mastersAuthorizer()).impersonate(request, wanted, (mode) => modes.push(mode));
    await impersonator.impersonate({ ...request, user: PAUL }, wanted, (mode) => modes.push(mode));
    expect(modes).toEqual(['impersonate:user-info', '']);
  });
});

it('attempts are counted by the mode that allowed them, a refusal once for all modes, and each right', async () => {
  const authorizer = rights('impersonate users bob');
  const impersonator = new Impersonator(authorizer);
  await act(['impersonate-user', 'bob'], PAUL, authorizer, impersonator);
  await expect(act(['impersonate-user', 'eve'], PAUL, authorizer, impersonator)).rejects.toThrow('cannot');
  const registry = new Registry();
  impersonator.register(registry);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('apiserver_'));
  expect(lines).toEqual([
    'apiserver_impersonation_attempts_total{mode="",decision="denied"} 1',
    'apiserver_impersonation_attempts_total{mode="legacy",decision="allowed"} 1',
    'apiserver_impersonation_authorization_attempts_total{mode="user-info",decision="denied"} 2',
    'apiserver_impersonation_authorization_attempts_total{mode="legacy",decision="allowed"} 1',
    'apiserver_impersonation_authorization_attempts_total{mode="legacy",decision="denied"} 1',
  ]);
});

describe('four groups and more', () => {
  const groups = ['a', 'b', 'c', 'd'];
  const headers = ['impersonate-user', 'bob', ...groups.flatMap((group) => ['impersonate-group', group])];
  const on = [
    'impersonate-on:user-info:list configmaps default/',
    'impersonate:user-info users.authentication.k8s.io bob',
  ];

  it('are allowed by one right to all of them', async () => {
    const authorizer = rights(...on, 'impersonate:user-info groups.authentication.k8s.io *');
    expect((await act(headers, PAUL, authorizer)).groups).toEqual([...groups, 'system:authenticated']);
    expect(authorizer.asked).toHaveLength(3);
    const masters = [...headers, 'impersonate-group', 'system:masters'];
    await expect(act(masters, PAUL, authorizer)).rejects.toThrow('cannot impersonate:user-info resource "groups"');
  });

  it('or by a right to each; fewer need that', async () => {
    const each = groups.map((group) => `impersonate:user-info groups.authentication.k8s.io ${group}`);
    const authorizer = rights(...on, ...each);
    expect((await act(headers, PAUL, authorizer)).groups).toContain('d');
    expect(authorizer.asked).toEqual([...on, 'impersonate:user-info groups.authentication.k8s.io *', ...each]);
    const all = rights(...on, 'impersonate:user-info groups.authentication.k8s.io *');
    await expect(act(headers.slice(0, -2), PAUL, all)).rejects.toMatchObject({ httpCode: 403 });
  });
});

function extraHeader(key: string, value: string): readonly string[] {
  return [`impersonate-extra-acme.io%2F${key}`, value];
}

function extraRight(key: string, value: string): string {
  return `impersonate:user-info userextras/acme.io/${key}.authentication.k8s.io ${value}`;
}

describe('four extras and more', () => {
  const on = [
    'impersonate-on:user-info:list configmaps default/',
    'impersonate:user-info users.authentication.k8s.io bob',
  ];
  const bob = ['impersonate-user', 'bob'];

  it.each([
    ['of four keys', ['a', 'b', 'c', 'd']],
    ['of one key', ['a', 'a', 'a', 'a']],
    ['of two keys', ['a', 'b', 'a', 'b']],
  ])('%s are allowed by one right to all keys and values, or by a right to each', async (_, keys) => {
    const headers = [...bob, ...keys.flatMap((key, i) => extraHeader(key, `v${i}`))];
    const all = 'impersonate:user-info userextras/*.authentication.k8s.io *';
    const authorizer = rights(...on, all);
    await act(headers, PAUL, authorizer);
    expect(authorizer.asked).toEqual([...on, all]);
    const each = rights(...on, ...keys.map((key, i) => extraRight(key, `v${i}`)));
    await act(headers, PAUL, each);
    expect(each.asked).toHaveLength(on.length + 1 + keys.length);
    // A right to all values of one key is none to those of its keys.
    await expect(act(headers, PAUL, rights(...on, extraRight('a', '*')))).rejects.toMatchObject({ httpCode: 403 });
  });

  it('are fewer: each is asked for', async () => {
    const headers = [...bob, ...extraHeader('a', '1'), ...extraHeader('b', '2'), ...extraHeader('c', '3')];
    const authorizer = rights(...on, extraRight('a', '1'), extraRight('b', '2'), extraRight('c', '3'));
    await act(headers, PAUL, authorizer);
    expect(authorizer.asked).toHaveLength(on.length + 3);
  });

  it('are all checked before the first is asked for, and the answer names no key or value', async () => {
    const headers = [...bob, ...extraHeader('a', '1'), ...extraHeader('b', '')];
    const authorizer = rights(...on, extraRight('a', '1'));
    await expect(act(headers, PAUL, authorizer)).rejects.toThrow(
      'userextras.authentication.k8s.io is forbidden: User "paul" cannot impersonate:user-info resource "userextras" in ' +
        'API group "authentication.k8s.io" at the cluster scope: impersonating the empty string value in extra is not allowed',
    );
    expect(authorizer.asked).toEqual([...on, 'impersonate users bob']);
  });
});
