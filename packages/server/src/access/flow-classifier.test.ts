import { expect, it } from 'vitest';
import { parseRoute } from '../route/parse-route.ts';
import { parseTarget } from '../route/request-target.ts';
import { accessAttributes } from './authorizer.ts';
import { FlowClassifier, type FlowObjects } from './flow-classifier.ts';

const SCHEMA = 'x-kubernetes-pf-flowschema-uid';
const LEVEL = 'x-kubernetes-pf-prioritylevel-uid';
const EVERYONE = [{ kind: 'Group', group: { name: '*' } }];
const ALL_RESOURCES = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }];
const ALL_PATHS = [{ verbs: ['*'], nonResourceURLs: ['*'] }];

function schema(name: string, precedence: number, rules: readonly object[], level = 'low') {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name, uid: `fs-${name}` },
    spec: { matchingPrecedence: precedence, priorityLevelConfiguration: { name: level }, rules },
  };
}

const level = (name: string) => ({ apiVersion: '', kind: '', metadata: { name, uid: `pl-${name}` }, spec: {} });
const catchAll = schema('catch-all', 10_000, [
  { subjects: EVERYONE, resourceRules: ALL_RESOURCES, nonResourceRules: ALL_PATHS },
]);

interface Asked {
  readonly method?: string;
  readonly name?: string;
  readonly groups?: readonly string[];
}

function asked(target: string, { method = 'GET', name = 'ann', groups = [] }: Asked = {}) {
  const parsed = parseTarget(target);
  if (parsed === undefined) throw new Error(target);
  return accessAttributes(parseRoute(method, parsed), { name, groups });
}

function classifier(...schemas: FlowObjects['schemas']): FlowClassifier {
  const objects = { schemas: [...schemas, catchAll], levels: [level('low')] };
  return new FlowClassifier(() => objects);
}

const rule = (subject: object, resource: object = {}) => [
  { subjects: [subject], resourceRules: [{ ...ALL_RESOURCES[0], ...resource }] },
];
const user = (name: string) => ({ kind: 'User', user: { name } });
const account = (namespace: string, name: string) => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name } });
const PODS = '/api/v1/namespaces/a/pods';

it.each<[string, readonly object[], ReturnType<typeof asked>, boolean]>([
  ['a user by name', rule(user('ann')), asked(PODS), true],
  ['another user', rule(user('bob')), asked(PODS), false],
  ['every user', rule(user('*')), asked(PODS), true],
  ['a group', rule({ kind: 'Group', group: { name: 'g' } }), asked(PODS, { groups: ['f', 'g'] }), true],
  ['an account', rule(account('n', 's')), asked(PODS, { name: 'system:serviceaccount:n:s' }), true],
  ['all accounts of a namespace', rule(account('n', '*')), asked(PODS, { name: 'system:serviceaccount:n:s' }), true],
  [
    'an account of a namespace whose name begins alike',
    rule(account('n', '*')),
    asked(PODS, { name: 'system:serviceaccount:nn:s' }),
    false,
  ],
  ['a verb', rule(user('*'), { verbs: ['list'] }), asked(PODS), true],
  ['another verb', rule(user('*'), { verbs: ['get'] }), asked(PODS), false],
  ['a resource', rule(user('*'), { resources: ['pods'] }), asked(PODS), true],
  [
    'a subresource, which is not its resource',
    rule(user('*'), { resources: ['pods'] }),
    asked(`${PODS}/x/status`),
    false,
  ],
  ['a subresource by name', rule(user('*'), { resources: ['pods/status'] }), asked(`${PODS}/x/status`), true],
  ['a group of the API', rule(user('*'), { apiGroups: ['apps'] }), asked(PODS), false],
  ['a namespace', rule(user('*'), { namespaces: ['a'] }), asked(PODS), true],
  ['another namespace', rule(user('*'), { namespaces: ['b'] }), asked(PODS), false],
  ['the cluster', rule(user('*')), asked('/api/v1/nodes'), true],
  [
    'the cluster when only namespaces are named',
    rule(user('*'), { clusterScope: false }),
    asked('/api/v1/nodes'),
    false,
  ],
  ['a path when only resources are named', rule(user('*')), asked('/version'), false],
  [
    'a path',
    [{ subjects: EVERYONE, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }] }],
    asked('/version'),
    true,
  ],
  [
    'what is below a path',
    [{ subjects: EVERYONE, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }] }],
    asked('/healthz/ping'),
    true,
  ],
  [
    'a path that begins alike',
    [{ subjects: EVERYONE, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/health'] }] }],
    asked('/healthz'),
    false,
  ],
])('a schema takes a request by %s', (_, rules, attributes, taken) => {
  const headers = classifier(schema('mine', 500, rules)).headersFor(attributes);
  expect(headers).toEqual({ [SCHEMA]: taken ? 'fs-mine' : 'fs-catch-all', [LEVEL]: 'pl-low' });
});

it('the lowest precedence wins, then the first name', () => {
  const rules = rule(user('*'));
  const flows = classifier(schema('c', 7, rules), schema('b', 7, rules), schema('a', 9, rules));
  expect(flows.headersFor(asked(PODS))?.[SCHEMA]).toBe('fs-b');
});

it('a schema whose level does not exist takes nothing', () => {
  const flows = classifier(schema('mine', 7, rule(user('*')), 'gone'));
  expect(flows.headersFor(asked(PODS))?.[SCHEMA]).toBe('fs-catch-all');
});

it('a request that no rule takes belongs to catch-all', () => {
  const objects = { schemas: [schema('catch-all', 10_000, [])], levels: [level('low')] };
  expect(new FlowClassifier(() => objects).headersFor(asked(PODS))?.[SCHEMA]).toBe('fs-catch-all');
});

it('logs and streams of a pod are not classified', () => {
  for (const sub of ['log', 'exec', 'attach', 'portforward', 'proxy']) {
    expect(classifier().headersFor(asked(`${PODS}/x/${sub}`))).toBeUndefined();
  }
});

it('the answer changes with the objects, for the same user too', () => {
  let objects: FlowObjects = { schemas: [catchAll], levels: [level('low')] };
  const flows = new FlowClassifier(() => objects);
  const request = asked(PODS);
  expect(flows.headersFor(request)?.[SCHEMA]).toBe('fs-catch-all');
  objects = { ...objects, schemas: [catchAll, schema('new', 2, rule(user('ann')))] };
  expect(flows.headersFor(request)?.[SCHEMA]).toBe('fs-new');
  objects = { ...objects, levels: [level('other')] };
  expect(flows.headersFor(request)).toEqual({ [SCHEMA]: '', [LEVEL]: '' });
});

it('masters are exempt while the object is missing, and the headers are empty', () => {
  const objects: FlowObjects = { schemas: [catchAll], levels: [level('low')] };
  const flows = new FlowClassifier(() => objects);
  const masters = asked(PODS, { groups: ['system:masters'] });
  expect(flows.classify(masters)).toMatchObject({ name: 'exempt', level: 'exempt', headers: { [SCHEMA]: '' } });
  expect(flows.headersFor(asked(PODS))?.[SCHEMA]).toBe('fs-catch-all');
});

it('tells users of one name apart by their groups, and keeps no more than some users', () => {
  const inGroup = rule({ kind: 'Group', group: { name: 'g' } });
  const flows = classifier(schema('s', 1, inGroup));
  const found = (name: string, groups: readonly string[]) => flows.headersFor(asked(PODS, { name, groups }))?.[SCHEMA];
  for (let round = 0; round < 2; round += 1) {
    expect(found('ann', ['f', 'g'])).toBe('fs-s');
    expect(found('ann', ['f', 'h'])).toBe('fs-catch-all');
    expect(found('ann', [])).toBe('fs-catch-all');
    for (let number = 0; number < 300; number += 1) expect(found(`user-${number}`, ['g'])).toBe('fs-s');
  }
});
