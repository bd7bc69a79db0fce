/** Writes by appliers and by others to the same objects, for two servers. */

import type { OwnedStep } from './owned-side.ts';

/** Some writes to objects of their own. */
export interface ApplyStory {
  readonly title: string;
  readonly steps: readonly OwnedStep[];
}

type Fields = Readonly<Record<string, unknown>>;

const NAMESPACE = 'owners';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const field = (type: string, more: Fields = {}): Fields => ({ type, ...more });
const text = field('string');

/** A kind with every sort of list and map. */
export const GADGETS: Fields = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: {
        openAPIV3Schema: field('object', {
          properties: {
            spec: field('object', {
              properties: {
                a: text,
                defaulted: field('string', { default: 'd' }),
                replicas: field('integer'),
                gmap: field('object', { additionalProperties: text }),
                amap: field('object', { additionalProperties: text, 'x-kubernetes-map-type': 'atomic' }),
                struct: field('object', { properties: { x: text, y: text } }),
                astruct: field('object', { properties: { x: text, y: text }, 'x-kubernetes-map-type': 'atomic' }),
                set: field('array', { items: text, 'x-kubernetes-list-type': 'set' }),
                numbers: field('array', { items: field('number'), 'x-kubernetes-list-type': 'set' }),
                list: field('array', { items: text }),
                ports: field('array', {
                  'x-kubernetes-list-type': 'map',
                  'x-kubernetes-list-map-keys': ['port', 'protocol'],
                  items: field('object', {
                    required: ['port'],
                    properties: { port: field('integer'), protocol: field('string', { default: 'TCP' }), name: text },
                  }),
                }),
                number: field('number'),
                either: { 'x-kubernetes-int-or-string': true },
              },
            }),
            status: field('object', { 'x-kubernetes-preserve-unknown-fields': true }),
          },
        }),
      },
    })),
  },
};

interface Target {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

const gadget = (name: string): Target => ({
  collection: `/apis/example.com/v1/namespaces/${NAMESPACE}/gadgets`,
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  name,
});
const map = (name: string): Target => ({
  collection: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
});
const deployment = (name: string): Target => ({
  collection: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name,
});
const service = (name: string): Target => ({
  collection: `/api/v1/namespaces/${NAMESPACE}/services`,
  apiVersion: 'v1',
  kind: 'Service',
  name,
});

function object({ apiVersion, kind, name }: Target, rest: Fields, metadata: Fields = {}): Fields {
  return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
}

function create(target: Target, manager: string, rest: Fields, metadata: Fields = {}): OwnedStep {
  const path = `${target.collection}?fieldManager=${manager}`;
  return { method: 'POST', path, body: object(target, rest, metadata) };
}

function put(target: Target, manager: string, rest: Fields, metadata: Fields = {}): OwnedStep {
  const path = `${target.collection}/${target.name}?fieldManager=${manager}`;
  return { method: 'PUT', path, body: object(target, rest, metadata) };
}

function patch(target: Target, manager: string, body: object, type = MERGE, end = ''): OwnedStep {
  return { method: 'PATCH', path: `${target.collection}/${target.name}${end}?fieldManager=${manager}`, type, body };
}

function apply(target: Target, manager: string, rest: Fields, metadata: Fields = {}, end = ''): OwnedStep {
  return patch(target, manager, object(target, rest, metadata), APPLY, end);
}

function force(target: Target, manager: string, rest: Fields, metadata: Fields = {}): OwnedStep {
  return apply(target, `${manager}&force=true`, rest, metadata);
}

function remove({ collection, name }: Target): OwnedStep {
  return { method: 'DELETE', path: `${collection}/${name}` };
}

const spec = (fields: Fields): Fields => ({ spec: fields });
const data = (fields: Fields): Fields => ({ data: fields });
const template = (...containers: readonly Fields[]): Fields =>
  spec({
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
  });
const container = (more: Fields = {}): Fields => ({ name: 'c', image: 'i', ...more });
const entry = (more: Fields): Fields => ({
  manager: 'given',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:k': {} } },
  ...more,
});

const managed = (value: unknown): Fields => ({ metadata: { managedFields: value } });
const port = (more: Fields): Fields => ({ port: 80, name: 'a', ...more });

const story = (title: string, ...steps: readonly OwnedStep[]): ApplyStory => ({ title, steps });

function granular(): ApplyStory {
  const one = gadget('granular');
  return story(
    'maps are shared by their keys, atomic ones as a whole',
    apply(one, 'm1', spec({ gmap: { a: '1' }, amap: { a: '1' }, struct: { x: '1' }, astruct: { x: '1' } })),
    apply(one, 'm2', spec({ gmap: { b: '2' }, struct: { y: '2' } })),
    apply(one, 'm2', spec({ gmap: { a: '2' } })),
    apply(one, 'm2', spec({ amap: { b: '2' } })),
    apply(one, 'm2', spec({ astruct: { y: '2' } })),
    apply(one, 'm2', spec({ gmap: { a: '1' }, amap: { a: '1' } })),
    apply(one, 'm3', spec({ gmap: { a: '3' } })),
    apply(one, 'm1', spec({ struct: { x: '1' } })),
    patch(one, 'u1', spec({ amap: { c: '3' } })),
    force(one, 'm2', spec({ amap: { d: '4' } })),
    apply(one, 'm2', spec({})),
    apply(one, 'm1', {}),
  );
}

function lists(): ApplyStory {
  const one = gadget('lists');
  return story(
    'lists are shared by their values, by their keys, or as a whole',
    apply(one, 'm1', spec({ set: ['a', 'b'], list: ['a'], numbers: [1, 2], ports: [{ port: 80, name: 'x' }] })),
    apply(one, 'm2', spec({ set: ['c', 'b'], ports: [{ port: 80, protocol: 'UDP' }, { port: 81 }] })),
    apply(one, 'm1', spec({ set: ['a'], ports: [] })),
    apply(one, 'm1', spec({ set: [], list: [], ports: [{ port: 81, name: 'y' }] })),
    apply(one, 'm3', spec({ numbers: [1, 1.0] })),
    apply(one, 'm3', spec({ set: ['x', 'x'] })),
    apply(one, 'm3', spec({ ports: [{ port: 90 }, { port: 90, protocol: 'TCP' }] })),
    apply(one, 'm3', spec({ list: ['z'] })),
    force(one, 'm3', spec({ list: ['z'], set: ['c'] })),
    patch(one, 'u1', spec({ ports: [{ port: 82, protocol: 'TCP' }] })),
    apply(one, 'm2', spec({ ports: [{ port: 83 }] })),
    patch(one, 'u2', spec({ set: ['q', 'c'] })),
    apply(one, 'm1', spec({ gmap: {}, amap: {}, set: [] })),
  );
}

function values(): ApplyStory {
  const one = gadget('values');
  return story(
    'values are compared as values, not as texts',
    apply(one, 'm1', spec({ number: 1, either: 1, a: 'x' })),
    apply(one, 'm2', spec({ number: 1.0 })),
    apply(one, 'm2', spec({ either: '1' })),
    apply(one, 'm2', spec({ a: 'x', defaulted: 'd' })),
    apply(one, 'm1', spec({ number: 1 })),
    apply(one, 'm2', spec({})),
    apply(one, 'm2', spec({ a: null })),
    apply(one, 'm1', {}),
  );
}

function defaults(): ApplyStory {
  const one = deployment('defaults');
  const two = deployment('applied-defaults');
  return story(
    'defaults belong to those who create, and to no applier',
    create(one, 'creator', template(container())),
    apply(one, 'm1', template(container({ imagePullPolicy: 'IfNotPresent' }))),
    apply(two, 'm1', template(container({ resources: { limits: { cpu: 1 } } }))),
    apply(two, 'm1', template(container({ resources: { limits: { cpu: '1' } } }))),
    apply(two, 'm2', template(container({ resources: { limits: { cpu: '1000m' } } }))),
    apply(two, 'm2', template(container({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }))),
    apply(two, 'm2', template(container({ ports: [{ containerPort: 80 }] }))),
    patch(
      two,
      'u1',
      spec({ template: { spec: { containers: [{ name: 'c', env: [{ name: 'E', value: '1' }] }] } } }),
      STRATEGIC,
    ),
    apply(two, 'm2', template(container())),
    apply(two, 'm1', template()),
  );
}

function updates(): ApplyStory {
  const one = map('updates');
  return story(
    'updates own what they change, and nothing when they change nothing',
    create(one, 'm1', data({ a: '1', b: '2' }), { labels: { l: '1' } }),
    put(one, 'm2', data({ a: '1', b: '2' }), { labels: { l: '1' } }),
    put(one, 'm2', data({ a: '2', b: '2' }), { labels: { l: '1' } }),
    patch(one, 'm3', data({ b: '3', c: '4' })),
    patch(one, 'm4', data({ b: null })),
    patch(one, 'm4', { metadata: { finalizers: ['a/b', 'a/c'] } }, STRATEGIC),
    patch(one, 'm5', [{ op: 'remove', path: '/metadata/finalizers' }], JSON_PATCH),
    apply(one, 'm1', data({ a: '1' })),
    force(one, 'm1', data({ a: '1' })),
    apply(one, 'm1', data({ a: '1' })),
    patch(one, 'm1', data({ a: '5' })),
    apply(one, 'm1', data({ a: '1' })),
    apply(one, 'm6', data({ c: '4', d: '5' })),
    apply(one, 'm7', data({ c: '9', a: '9' })),
    apply(one, 'm6', data({ c: '4' })),
  );
}

function forgotten(): ApplyStory {
  const one = map('forgotten');
  return story(
    'owners can be forgotten, given and refused',
    create(one, 'creator', data({ k: '1' }), { managedFields: [entry({})] }),
    patch(one, 'm1', managed([entry({ operation: 'Other' })])),
    patch(one, 'm1', managed([entry({ fieldsType: 'FieldsV2' })])),
    patch(one, 'm1', managed([entry({ apiVersion: '' })])),
    patch(one, 'm1', managed([entry({ fieldsV1: { 'x:data': {}, 'f:data': { 'f:k': {} } } })])),
    patch(one, 'm1', managed([entry({ fieldsV1: { 'k:{': {} } })])),
    patch(one, 'm1', managed([entry({}), entry({ fieldsV1: { 'f:data': {} } })])),
    patch(one, 'm1', managed([entry({ apiVersion: 'v2' }), entry({ manager: 'other' })])),
    patch(one, 'm1', { ...managed([]), data: { k: '2' } }),
    patch(one, 'm1', data({ k: '3' })),
    apply(one, 'm2', data({ l: '1' })),
    patch(one, 'm1', managed([{}])),
    force(one, 'm2', data({ k: '4' })),
  );
}

function many(): ApplyStory {
  const one = map('many');
  const numbers = Array.from({ length: 13 }, (_, index) => index);
  return story(
    'of more than ten that update, the oldest become one',
    create(one, 'creator', data({ k: '1' })),
    ...numbers.map((index) => patch(one, `u${index}`, data({ [`k${index}`]: 'v' }))),
    ...numbers.map((index) => apply(one, `a${index}`, data({ [`a${index}`]: 'v' }))),
  );
}

function parts(): ApplyStory {
  const one = deployment('parts');
  const two = gadget('parts');
  const status = { status: { replicas: 3 } };
  return story(
    'status and scale have owners of their own',
    create(one, 'creator', { ...template(container()), ...status }),
    apply(one, 'm1', { ...template(container()), ...status }),
    patch(
      one,
      'm2',
      { metadata: { labels: { l: '1' }, annotations: { n: '1' } }, spec: { replicas: 9 }, ...status },
      MERGE,
      '/status',
    ),
    apply(one, 'm3', { ...status, spec: { replicas: 4 } }, { labels: { l: '2' }, annotations: { n: '2' } }, '/status'),
    patch(one, 'm4', { metadata: { managedFields: [] } }, MERGE, '/status'),
    patch(one, 's1', spec({ replicas: 5 }), MERGE, '/scale'),
    patch(one, 's2', spec({ replicas: 5 }), MERGE, '/scale'),
    apply(one, 'm1', spec({ replicas: 6 })),
    create(two, 'creator', { ...spec({ replicas: 1, a: 'x' }), ...status }),
    patch(two, 'm2', { metadata: { labels: { l: '1' } }, spec: { a: 'y' }, ...status }, MERGE, '/status'),
    apply(two, 'm3', { status: { more: { x: 1 } } }, { labels: { l: '2' } }, '/status'),
    apply(two, 'm3', { status: { more: {} } }, {}, '/status'),
    patch(two, 's1', spec({ replicas: 5 }), MERGE, '/scale'),
    apply(two, 'm4', spec({ replicas: 5 })),
    apply(two, 'm4', spec({})),
  );
}

function endings(): ApplyStory {
  const one = map('endings');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1-2-3' };
  return story(
    'owner references are items, and the last finalizer ends an object',
    apply(one, 'm1', data({ k: 'v' }), { finalizers: ['a/b'], ownerReferences: [owner] }),
    apply(one, 'm2', {}, { ownerReferences: [{ ...owner, uid: '4' }] }),
    put(one, 'm3', data({ k: 'v' }), { finalizers: ['a/b'], ownerReferences: [owner, owner] }),
    remove(one),
    apply(one, 'm2', {}, { ownerReferences: [] }),
    apply(one, 'm1', data({ k: 'v' })),
    apply(one, 'm1', data({ k: 'w' })),
  );
}

function kubectl(): ApplyStory {
  const one = map('last-applied');
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration':
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"last-applied"},"data":{"a":"1"}}\n',
  };
  return story(
    'kubectl takes over from its own annotation',
    create(one, 'kubectl-client-side-apply', data({ a: '1', b: '2' }), { annotations }),
    apply(one, 'other', data({ a: '2' })),
    apply(one, 'kubectl', data({ a: '2' })),
    apply(one, 'kubectl', data({ c: '2' })),
  );
}

function versions(): ApplyStory {
  const one = gadget('versions');
  const old: Target = {
    ...one,
    apiVersion: 'example.com/v1beta1',
    collection: one.collection.replace('/v1/', '/v1beta1/'),
  };
  return story(
    'an apply in another version replaces the entry of its manager',
    apply(one, 'm1', spec({ a: '1', gmap: { x: '1' } })),
    apply(old, 'm1', spec({ gmap: { y: '1' } })),
    patch(old, 'u1', spec({ a: '3' })),
    patch(one, 'u1', spec({ a: '4' })),
    apply(one, 'm1', spec({ a: '5' })),
    patch(one, 'u1', { metadata: { managedFields: [entry({ apiVersion: 'example.com/v9', fieldsV1: {} })] } }),
    apply(one, 'm1', spec({ a: '6' })),
    force(one, 'm1', spec({ a: '6' })),
    patch(one, 'u1', spec({ a: '7' })),
    apply(one, 'm1', spec({ gmap: { z: '6' } })),
  );
}

function ports(): ApplyStory {
  const one = service('ports');
  return story(
    'items whose keys have defaults are the same items',
    create(one, 'creator', spec({ ports: [port({})], selector: { a: 'b' } })),
    apply(one, 'm1', spec({ ports: [port({ protocol: 'TCP' })] })),
    apply(one, 'm2', spec({ ports: [port({ port: 81, name: 'b' })] })),
    apply(one, 'm2', spec({ ports: [port({ port: 82, name: 'b' })] })),
    apply(one, 'm2', spec({ ports: [port({ port: 82, name: 'b' }), port({ port: 82, name: 'b', protocol: 'TCP' })] })),
    patch(one, 'u1', spec({ ports: [port({ port: 90 }), port({ port: 82, name: 'b' })] })),
    apply(one, 'm1', spec({ ports: [] })),
    force(one, 'm2', spec({ selector: { a: 'c' } })),
  );
}

/** All of them. */
export const STORIES: readonly ApplyStory[] = [
  granular(),
  lists(),
  values(),
  defaults(),
  updates(),
  forgotten(),
  many(),
  parts(),
  endings(),
  kubectl(),
  versions(),
  ports(),
];
