import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer } from './test-server.ts';

type Fields = Readonly<Record<string, unknown>>;

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = 'application/merge-patch+json';
const rule = (text: string, more: Fields = {}): Fields => ({ rule: text, ...more });
const ruled = (type: string, rules: readonly Fields[], more: Fields = {}): Fields => ({
  type,
  ...more,
  'x-kubernetes-validations': rules,
});
const text = { type: 'string' };
const number = { type: 'integer' };

/** Schemas of `spec`, each with objects that are created and then changed to the next. */
const RULED: Readonly<Record<string, { readonly spec: Fields; readonly objects: readonly (readonly Fields[])[] }>> = {
  'the value is shown for a scalar and not for an object': {
    spec: ruled('object', [rule('self.a < 4'), rule('has(self.b)', { message: 'b is missing', fieldPath: '.b' })], {
      properties: { a: ruled('integer', [rule('self < 3')]), b: text },
    }),
    objects: [[{ a: 9 }], [{ a: 1, b: 'x' }, { a: 5 }]],
  },
  reasons: {
    spec: ruled('object', [], {
      properties: {
        a: ruled('integer', [rule('self < 1', { reason: 'FieldValueDuplicate', message: 'm' })]),
        b: ruled('integer', [rule('self < 1', { reason: 'FieldValueForbidden', message: 'm' })]),
        c: ruled('integer', [rule('self < 1', { reason: 'FieldValueRequired', message: 'm' })]),
        d: ruled('integer', [rule('self < 1', { reason: 'FieldValueInvalid' })]),
      },
    }),
    objects: [[{ a: 1 }], [{ b: 1 }], [{ c: 1 }], [{ a: 1, b: 1, c: 1, d: 1 }]],
  },
  'an absent field and a division by zero': {
    spec: ruled('object', [rule('self.a == "x"'), rule('1 / self.n > 0')], { properties: { a: text, n: number } }),
    objects: [[{ n: 1 }], [{ a: 'x', n: 0 }], [{ a: 'x', n: 1 }]],
  },
  'a wrong type beside a rule': {
    spec: ruled('object', [rule('self.n > 5')], { properties: { n: number, m: { type: 'integer', maximum: 3 } } }),
    objects: [[{ n: 'x' }], [{ n: 1, m: 9 }], [{ n: 'x', m: 9 }]],
  },
  'a field that never changes': {
    spec: ruled('object', [], {
      properties: { a: ruled('string', [rule('self == oldSelf', { message: 'fixed' })]), b: text },
    }),
    objects: [
      [{ a: 'x' }, { a: 'y' }, { b: 'z' }],
      [{ a: 'x' }, { a: null }],
    ],
  },
  'an optional old value': {
    spec: ruled('object', [], {
      properties: {
        a: ruled('integer', [
          rule('oldSelf.hasValue() ? self > oldSelf.value() : self == 1', { optionalOldSelf: true }),
        ]),
      },
    }),
    objects: [[{ a: 2 }], [{ a: 1 }, { a: 1 }, { a: 0 }, { a: 3 }]],
  },
  'an old value within a list with keys': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          maxItems: 10,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: ruled('object', [rule('self.v >= oldSelf.v')], {
            required: ['k'],
            properties: { k: text, v: number },
          }),
        },
      },
    },
    objects: [
      [
        { list: [{ k: 'a', v: 2 }] },
        {
          list: [
            { k: 'b', v: 1 },
            { k: 'a', v: 1 },
          ],
        },
        { list: [{ k: 'b', v: 1 }] },
      ],
    ],
  },
  'an old value within a list without keys': {
    spec: {
      type: 'object',
      properties: { list: { type: 'array', maxItems: 10, items: ruled('integer', [rule('self >= oldSelf')]) } },
    },
    objects: [],
  },
  'nested loops without bounds': {
    spec: ruled('object', [rule('self.list.all(x, self.list.all(y, x == y || self.list.exists(z, z == x)))')], {
      properties: { list: { type: 'array', items: text } },
    }),
    objects: [],
  },
  'a message that is computed': {
    spec: ruled(
      'object',
      [rule('self.n < 5', { messageExpression: '"n is " + string(self.n) + ", not less than 5"' })],
      { properties: { n: number } },
    ),
    objects: [],
  },
  'a message without a bound': {
    spec: ruled('object', [rule('self.s != "x"', { messageExpression: 'self.s + self.s', message: 'plain' })], {
      properties: { s: { type: 'string', maxLength: 5000 } },
    }),
    objects: [[{ s: 'x' }]],
  },
  'a loop that costs too much when it runs': {
    spec: ruled('object', [rule('self.list.all(x, self.list.all(y, x + y != "ab"))')], {
      properties: { list: { type: 'array', maxItems: 900, items: { type: 'string', maxLength: 3 } } },
    }),
    objects: [[{ list: Array.from({ length: 900 }, (_, index) => `${index}`) }]],
  },
  'a field that is no name': {
    spec: ruled('object', [rule("self['a b'] == 'x'")], { properties: { 'a b': text } }),
    objects: [],
  },
  'a name that is escaped': {
    spec: ruled('object', [rule('self.a__dash__b == "x" && self.__namespace__ == "y"')], {
      properties: { 'a-b': text, namespace: text },
    }),
    objects: [[{ 'a-b': 'x', namespace: 'y' }], [{ 'a-b': 'z', namespace: 'y' }]],
  },
  'an unknown format in a definition that is refused': {
    spec: { type: 'object', properties: { a: { type: 'string', format: 'zzz' }, b: {} } },
    objects: [],
  },
  'a default that breaks a rule': {
    spec: { type: 'object', properties: { n: ruled('integer', [rule('self > 5')], { default: 1 }) } },
    objects: [],
  },
  'rules that do not compile': {
    spec: ruled(
      'object',
      [rule('self.missing > 1'), rule('self.n +'), rule('self.n'), rule(''), rule('self.n > "x"')],
      { properties: { n: number } },
    ),
    objects: [],
  },
};

/** A schema that gets stricter: objects that are there may stay as they are. */
const RATCHETED = {
  before: { type: 'object', properties: { n: number, s: text, list: { type: 'array', items: number } } },
  after: ruled('object', [rule('self.n < 3')], {
    required: ['s'],
    properties: {
      n: ruled('integer', [rule('self < 4')]),
      s: { type: 'string', maxLength: 2 },
      list: { type: 'array', maxItems: 1, items: number },
    },
  }),
  objects: [
    { metadata: { labels: { a: 'b' } } },
    { spec: { n: 9 } },
    { spec: { n: 1 } },
    { spec: { s: 'x' } },
    { spec: { list: [1, 2, 3] } },
  ],
};

/** kube-apiserver names types by random numbers. */
function comparable(message: string): string {
  return message.replaceAll(/selfType\d+/gu, 'selfType');
}

/** Errors are in the random order of a Go map. */
function inAnyOrder(message: string): readonly string[] {
  return comparable(message)
    .split(/[[\]]|, (?=spec|<nil>)/u)
    .toSorted();
}

describe('rules of custom kinds, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  let sides: readonly [ApiClient, ApiClient] | undefined;
  let count = 0;

  beforeAll(async () => {
    const real = await startKubeApiserver();
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides = [new ApiClient(real), new ApiClient(own)];
  }, 120_000);
  afterAll(async () => {
    for (const side of sides ?? []) side.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  /** What both answer, without what no two servers have in common. */
  async function both(
    method: string,
    path: string,
    body: unknown,
    type = 'application/json',
  ): Promise<readonly [real: string, own: string, status: number]> {
    if (sides === undefined) throw new Error('there are no servers');
    const [real, own] = await Promise.all(
      sides.map((side) => side.request(method, path, { body, headers: { 'content-type': type } })),
    );
    const shown = (answer: typeof real): string => {
      const { code, message = '', details, spec } = JSON.parse(answer?.text ?? '{}');
      if (path.startsWith(CRDS) && code === undefined) return 'defined';
      const causes = (details?.causes ?? []).map((cause: object) => comparable(JSON.stringify(cause))).toSorted();
      const warning = answer?.headers['warning'];
      const members = Object.entries(spec ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1));
      return JSON.stringify([answer?.status, warning, code, inAnyOrder(message), causes, members]);
    };
    return [shown(real), shown(own), real?.status ?? 0];
  }

  async function define(
    spec: Fields,
  ): Promise<{ readonly collection: string; readonly kind: Fields; readonly isDefined: boolean }> {
    count += 1;
    const group = `r${count}.example.com`;
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `rules.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'rules', singular: 'rule', kind: 'Rule', listKind: 'RuleList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    };
    const [real, own, status] = await both('POST', CRDS, definition);
    expect.soft(own).toBe(real);
    const collection = `/apis/${group}/v1/rules`;
    if (status < 300) await served(collection);
    return { collection, kind: { apiVersion: `${group}/v1`, kind: 'Rule' }, isDefined: status < 300 };
  }

  async function served(collection: string): Promise<void> {
    for (const side of sides ?? []) {
      await vi.waitFor(async () => expect((await side.get(collection)).status).toBe(200), 20_000);
    }
  }

  it.each(Object.entries(RULED))('%s', async (_, { spec, objects }) => {
    const { collection, kind, isDefined } = await define(spec);
    expect.soft(isDefined).toBe(objects.length > 0);
    if (!isDefined) return;
    for (const [index, [first, ...changes]] of objects.entries()) {
      const [real, own] = await both('POST', collection, { ...kind, metadata: { name: `o${index}` }, spec: first });
      expect.soft(own).toBe(real);
      for (const change of changes) {
        const answers = await both('PATCH', `${collection}/o${index}`, { spec: change }, MERGE);
        expect.soft(answers[1]).toBe(answers[0]);
      }
    }
  });

  it('new finalizers without a domain are warned about, once each', async () => {
    const { collection, kind } = await define({ type: 'object', properties: { n: number } });
    const made = await both('POST', collection, { ...kind, metadata: { name: 'o', finalizers: ['z', 'a', 'z'] } });
    expect.soft(made[1]).toBe(made[0]);
    const changed = await both('PATCH', `${collection}/o`, { metadata: { finalizers: ['z', 'a', 'b'] } }, MERGE);
    expect.soft(changed[1]).toBe(changed[0]);
  });

  it('what was stored before the rules may stay', async () => {
    const { collection, kind } = await define(RATCHETED.before);
    await both('POST', collection, { ...kind, metadata: { name: 'o' }, spec: { n: 7, list: [1, 2] } });
    const name = `rules.r${count}.example.com`;
    const versions = [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: RATCHETED.after } } },
      },
    ];
    const changed = await both('PATCH', `${CRDS}/${name}`, { spec: { versions } }, MERGE);
    expect.soft(changed[1]).toBe(changed[0]);
    for (const side of sides ?? []) {
      const body = { ...kind, metadata: { name: 'probe' }, spec: { n: 9, s: 'x' } };
      const isRefused = async (): Promise<void> =>
        expect((await side.request('POST', `${collection}?dryRun=All`, { body })).status).toBe(422);
      await vi.waitFor(isRefused, 20_000);
    }
    for (const body of RATCHETED.objects) {
      const [real, own] = await both('PATCH', `${collection}/o`, body, MERGE);
      expect.soft(own).toBe(real);
    }
  });
});
