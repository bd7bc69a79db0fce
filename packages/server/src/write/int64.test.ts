import { beforeEach, describe, expect, it } from 'vitest';
import { envelope, messageParts } from '../../../schema/src/protobuf/written-message.fixture.ts';
import { pod } from '../kinds/built-in-definitions.fixture.ts';
import { VerbFixture } from './verb.fixture.ts';

const PODS = '/api/v1/namespaces/x/pods';
const MAX = '9223372036854775807';
const MIN = '-9223372036854775808';
const ODD = '9007199254740993';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

function toleration(key: string, seconds: string): string {
  return `{"key":"${key}","operator":"Exists","effect":"NoExecute","tolerationSeconds":${seconds}}`;
}

/** A Pod with integers of 64 bits, as text: no object of a test could hold it. */
function podText(name: string, seconds: string): string {
  return `{"metadata":{"name":"${name}"},"spec":{"tolerations":[${toleration('k', seconds)},${toleration('m', seconds)}],"containers":[{"name":"c","image":"i"}]}}`;
}

/** The integers in the answer, as they are written there. */
function integers(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/"tolerationSeconds":(-?\d+)/g)].map(([, digits]) => digits);
}

describe('an integer of 64 bits is kept exactly', () => {
  it.each([ODD, MAX, MIN, '5'])('%s in JSON, when created and read', async (integer) => {
    const { status, text } = await server.call('POST', PODS, { body: podText('a', integer) });
    expect([status, ...integers(text)]).toEqual([201, integer, integer]);
    expect(integers((await server.call('GET', `${PODS}/a`)).text)).toEqual([integer, integer]);
  });

  it('in YAML', async () => {
    const body = `metadata: {name: a}\nspec:\n  tolerations:\n  - {key: k, operator: Exists, effect: NoExecute, tolerationSeconds: ${MAX}}\n  - {key: m, operator: Exists, effect: NoExecute, tolerationSeconds: ${ODD}}\n  containers: [{name: c, image: i}]\n`;
    const { text } = await server.call('POST', PODS, { body, type: 'application/yaml' });
    expect(integers(text)).toEqual([MAX, ODD]);
  });

  it('in protobuf', async () => {
    const exists = { operator: 'Exists', effect: 'NoExecute' };
    const [first, second] = [BigInt(MAX), BigInt(ODD)];
    const tolerations = [
      { key: 'k', ...exists, tolerationSeconds: first },
      { key: 'm', ...exists, tolerationSeconds: second },
    ];
    const spec = { tolerations };
    const object = { metadata: { name: 'a' }, spec: { ...spec, containers: [{ name: 'c', image: 'i' }] } };
    const body = envelope('v1', 'Pod', Buffer.concat([...messageParts(pod.schemas.set, pod.data.type, object)]));
    const { text } = await server.call('POST', PODS, { body, type: 'application/vnd.kubernetes.protobuf' });
    expect(integers(text)).toEqual([MAX, ODD]);
  });

  it.each([
    ['PUT', `${PODS}/a`, podText('a', MAX).replace('"i"', '"j"'), 'application/json'],
    ['PATCH', `${PODS}/a`, '{"metadata":{"labels":{"a":"b"}}}', 'application/merge-patch+json'],
    [
      'PATCH',
      `${PODS}/a`,
      `[{"op":"test","path":"/spec/tolerations/0/tolerationSeconds","value":${MAX}},{"op":"add","path":"/metadata/labels","value":{}},{"op":"add","path":"/metadata/labels/a","value":"b"}]`,
      'application/json-patch+json',
    ],
    [
      'PATCH',
      `${PODS}/a`,
      '[{"op":"copy","from":"/spec/tolerations","path":"/spec/containers/0/x"},{"op":"remove","path":"/spec/containers/0/x"}]',
      'application/json-patch+json',
    ],
  ])('by %s %s %.40s', async (method, url, body, type) => {
    await server.ok('POST', PODS, { body: podText('a', MAX) });
    const { status, text } = await server.call(method, url, { body, type });
    expect([status, ...integers(text)]).toEqual([200, MAX, MAX]);
  });

  it('a patch that tests for its neighbour does not apply', async () => {
    await server.ok('POST', PODS, { body: podText('a', ODD) });
    const body = '[{"op":"test","path":"/spec/tolerations/0/tolerationSeconds","value":9007199254740992}]';
    expect((await server.call('PATCH', `${PODS}/a`, { body, type: 'application/json-patch+json' })).status).toBe(422);
  });

  it('an update to its neighbour is a change, and to itself is none', async () => {
    await server.ok('POST', PODS, { body: podText('a', ODD) });
    const before = await server.revision();
    await server.ok('PUT', `${PODS}/a`, { body: podText('a', ODD) });
    expect(await server.revision()).toBe(before);
    const changed = await server.call('PUT', `${PODS}/a`, { body: podText('a', '9007199254740992') });
    expect([changed.status, ...integers(changed.text)]).toEqual([200, '9007199254740992', '9007199254740992']);
    expect(await server.revision()).not.toBe(before);
  });
});

describe('an integer beyond its field', () => {
  it.each([
    ['9223372036854775808', '9223372036854775808'],
    ['-9223372036854775809', '-9223372036854775809'],
    ['1.5', '1.5'],
    ['1e30', '1e+30'],
    ['1.0', '1.0'],
    ['1e3', '1e3'],
  ])('%s is refused as Go does', async (integer, shown) => {
    const { status, body } = await server.call('POST', PODS, { body: podText('a', integer) });
    expect([status, body.message]).toEqual([
      400,
      `Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number ${shown} into Go struct field Toleration.spec.tolerations.tolerationSeconds of type int64`,
    ]);
  });

  it('that no field knows is left out', async () => {
    const body = `{"metadata":{"name":"a"},"bogus":{"x":[${MAX}0]}}`;
    expect((await server.call('POST', '/api/v1/namespaces/x/configmaps', { body })).status).toBe(201);
  });

  it('that breaks a rule is shown with all digits', async () => {
    const body = podText('a', '5').replace('"containers"', `"activeDeadlineSeconds":${MAX},"containers"`);
    expect((await server.call('POST', PODS, { body })).body.message).toContain(
      `spec.activeDeadlineSeconds: Invalid value: ${MAX}: must be between 1 and 2147483647, inclusive`,
    );
  });
});

describe('a period of grace of any length', () => {
  it.each([MAX, '9007199254740991'])('%s is taken', async (seconds) => {
    const body = podText('a', '5').replace('"containers"', '"nodeName":"n","containers"');
    await server.ok('POST', PODS, { body });
    const deleted = await server.call('DELETE', `${PODS}/a`, { body: `{"gracePeriodSeconds":${seconds}}` });
    expect([deleted.status, deleted.body.metadata.deletionTimestamp]).toEqual([200, '9999-12-31T23:59:59Z']);
  });
});

it('more than 10 000 numbers that long are refused before they are parsed', async () => {
  const body = podText('a', Array<string>(6000).fill(ODD).join());
  const { status, body: answer } = await server.call('POST', PODS, { body });
  expect([status, answer.message]).toEqual([413, expect.stringContaining('12000 numbers of 16 digits or more')]);
});
