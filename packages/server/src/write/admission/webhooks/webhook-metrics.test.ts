import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PolicyServer } from '../policies/policy-server.fixture.ts';
import { type HookAnswer, HookedServer, patchOf } from './hook-server.fixture.ts';

let hooked: HookedServer;
let count = 0;

beforeAll(async () => {
  hooked = await HookedServer.start();
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

/** The series of a name without durations, with the name as `N`. */
async function seriesOf(name: string, server = hooked.server): Promise<readonly string[]> {
  const { body } = await server.ask('GET', '/metrics');
  return String(body)
    .split('\n')
    .filter((line) => line.includes(`"${name}"`) && !/_bucket|_sum|controller_admission/u.test(line))
    .map((line) => line.replace('apiserver_admission_', '').replaceAll(name, 'N'))
    .toSorted();
}

async function called(
  type: 'Mutating' | 'Validating',
  answer: HookAnswer,
  more: object = {},
): Promise<readonly string[]> {
  const ns = await hooked.namespace();
  count += 1;
  const name = `n${count}.hook.example.com`;
  hooked.hook.answers['a'] = answer;
  await hooked.configure(type, hooked.hookOf(ns, 'a', { name, ...more }));
  await hooked.create(ns, 'a');
  return seriesOf(name);
}

function denial(code: number): HookAnswer {
  return { allowed: false, status: { code } };
}

const DEAD = { clientConfig: { url: 'https://127.0.0.1:1/a' } };
const NO_BUNDLE = { clientConfig: { url: 'https://127.0.0.1:1/a', caBundle: 'eA==' } };
const notFound: HookAnswer = (_review, response) => {
  response.writeHead(404);
  response.end();
  return undefined;
};
const badPatch = { allowed: true, patchType: 'Merge', patch: 'W3t9XQ==' };

it.each<[string, 'Mutating' | 'Validating', HookAnswer, object, code: string, why: string]>([
  ['denial', 'Validating', denial(403), {}, '403', 'no_error'],
  ['denial with code 500', 'Validating', denial(500), {}, '500', 'no_error'],
  ['denial with code 500', 'Mutating', denial(500), {}, '500', 'no_error'],
  ['webhook that is not there', 'Validating', {}, DEAD, '503', 'calling_webhook_error'],
  ['bundle without a certificate', 'Validating', {}, NO_BUNDLE, '500', 'calling_webhook_error'],
  ['HTTP error', 'Validating', notFound, {}, '404', 'calling_webhook_error'],
  ['bad answer', 'Validating', { uid: 'x' }, {}, '503', 'calling_webhook_error'],
  ['patch of another type', 'Mutating', badPatch, {}, '400', 'calling_webhook_error'],
  [
    'patch that cannot be applied',
    'Mutating',
    patchOf({ op: 'remove', path: '/x/y' }),
    {},
    '0',
    'apiserver_internal_error',
  ],
])('counts a %s of a %s webhook with its code and its reason', async (_, type, answer, more, code, why) => {
  const kind = type === 'Mutating' ? 'admit' : 'validating';
  expect(await called(type, answer, more)).toEqual([
    `webhook_admission_duration_seconds_count{name="N",operation="CREATE",rejected="true",type="${kind}"} 1`,
    `webhook_rejection_count{error_type="${why}",name="N",operation="CREATE",rejection_code="${code}",type="${kind}"} 1`,
    `webhook_request_total{code="${code}",name="N",operation="CREATE",rejected="true",type="${kind}"} 1`,
  ]);
});

it('counts a failure that is ignored as no rejection', async () => {
  expect(await called('Validating', {}, { ...DEAD, failurePolicy: 'Ignore' })).toEqual([
    'webhook_admission_duration_seconds_count{name="N",operation="CREATE",rejected="false",type="validating"} 1',
    'webhook_fail_open_count{name="N",type="validating"} 1',
    'webhook_request_total{code="503",name="N",operation="CREATE",rejected="false",type="validating"} 1',
  ]);
});

it('counts a webhook that takes all the time of the request', async () => {
  const ns = await hooked.namespace();
  const name = 'slow.hook.example.com';
  hooked.hook.answers['a'] = () => undefined;
  await hooked.configure('Validating', hooked.hookOf(ns, 'a', { name }));
  const body = { metadata: { name: 'a' } };
  const asked = hooked.server.ask('POST', `/api/v1/namespaces/${ns}/configmaps?timeout=2s`, body);
  await vi.waitFor(() => expect(hooked.hook.calls).toHaveLength(1));
  await hooked.server.clock.advance(2000);
  await asked;
  // The client has its answer a moment before.
  await vi.waitFor(async () =>
    expect(await seriesOf(name)).toContain(
      'webhook_rejection_count{error_type="calling_webhook_error",name="N",operation="CREATE",rejection_code="503",type="validating"} 1',
    ),
  );
});

const conditions = (...expressions: readonly string[]): object => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
});
const FAILS = 'object.data.nope == "x"';

it.each<[string, 'Mutating' | 'Validating', object, readonly string[]]>([
  ['hold', 'Validating', conditions('true'), []],
  [
    'exclude a request',
    'Validating',
    conditions('false'),
    [
      'match_condition_evaluation_seconds_count{kind="webhook",name="N",operation="CREATE",type="validating"} 1',
      'match_condition_exclusions_total{kind="webhook",name="N",operation="CREATE",type="validate"} 1',
    ],
  ],
  [
    'fail',
    'Mutating',
    conditions(FAILS, FAILS, 'true'),
    [
      'match_condition_evaluation_errors_total{kind="webhook",name="N",operation="CREATE",type="admit"} 2',
      'match_condition_evaluation_seconds_count{kind="webhook",name="N",operation="CREATE",type="admit"} 1',
    ],
  ],
  [
    'fail before one that excludes',
    'Mutating',
    conditions(FAILS, 'false', FAILS),
    [
      'match_condition_evaluation_errors_total{kind="webhook",name="N",operation="CREATE",type="admit"} 1',
      'match_condition_evaluation_seconds_count{kind="webhook",name="N",operation="CREATE",type="admit"} 1',
      'match_condition_exclusions_total{kind="webhook",name="N",operation="CREATE",type="admit"} 1',
    ],
  ],
])('counts conditions of webhooks that %s', async (_, type, more, lines) => {
  const series = await called(type, { allowed: true }, more);
  expect(series.filter((line) => line.startsWith('match_condition'))).toEqual(lines);
});

it('counts conditions of policies that do not hold, on either thread', async () => {
  for (const largeWriteBytes of [Infinity, 1024 * 1024]) {
    await using server = await PolicyServer.start({ largeWriteBytes });
    const ns = await server.namespace();
    // Takes long enough to be evaluated in the worker, where there is one.
    const long = 'object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != "zzz")))';
    await ns.validate({ validations: [{ expression: 'false' }], ...conditions(FAILS, `${long} && false`) });
    await ns.mutate(['Object{metadata: Object.metadata{labels: {"x": "y"}}}'], {
      failurePolicy: 'Ignore',
      ...conditions(FAILS),
    });
    const data = Object.fromEntries(Array.from({ length: 30 }, (__, index) => [`k${index}`, 'v']));
    await server.http.ok('POST', ns.configMaps, { metadata: { name: 'a' }, data });
    // Kubernetes says `validate` for mutating policies, too: both are one series here.
    const own = 'kind="policy",name="N",operation="CREATE",type="validate"';
    const series = await seriesOf(ns.name, server.http);
    expect(series.filter((line) => line.startsWith('match_condition'))).toEqual([
      `match_condition_evaluation_errors_total{${own}} 2`,
      `match_condition_evaluation_seconds_count{${own}} 2`,
    ]);
  }
});
