import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { InProcessServer } from '../../start/in-process-server.fixture.ts';
import { ReloadCounts } from '../reload-counts.ts';
import { checkAuthorizationConfiguration } from './authorization-problems.ts';
import { parseAuthorizationConfiguration } from './authorization-shape.ts';
import { ConfiguredAuthorization } from './configured-authorization.ts';
import { ReviewWebhook } from './review-webhook.fixture.ts';

const WEBHOOK = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/authz' },
};
const RBAC = { type: 'RBAC', name: 'rbac' };
const BOB = { name: 'bob', groups: ['devs'] };

function hook(more: object = {}, name = 'opa'): object {
  return { type: 'Webhook', name, webhook: { ...WEBHOOK, ...more } };
}

function text(authorizers: readonly object[], more: object = {}): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers,
    ...more,
  });
}

function problem(authorizers: readonly object[]): string {
  try {
    checkAuthorizationConfiguration(parseAuthorizationConfiguration(text(authorizers)));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('an AuthorizationConfiguration', () => {
  it.each(['v1', 'v1beta1', 'v1alpha1'])('of %s is read', (version) => {
    const apiVersion = `apiserver.config.k8s.io/${version}`;
    const read = parseAuthorizationConfiguration(text([hook(), RBAC], { apiVersion }));
    expect(read).toEqual({ authorizers: [hook(), RBAC] });
    expect(() => checkAuthorizationConfiguration(read)).not.toThrow();
  });

  it.each<[string, string]>([
    ['', 'authorizers: Required value: at least one authorization mode must be defined'],
    ['[]', 'the file must hold an object, not array'],
    ['{', 'expected'],
    [text([RBAC], { kind: 'Other' }), 'no kind "Other" is known for version "apiserver.config.k8s.io/v1"'],
    [text([RBAC], { extra: 1 }), 'strict decoding error: unknown field "extra"'],
    [text([hook({ timeOut: '1s' })]), 'strict decoding error: unknown field "authorizers[0].webhook.timeOut"'],
    [text([hook({ timeout: 3 })]), 'authorizers[0].webhook.timeout must be a string, not number'],
  ])('%j: %s', (file, message) => {
    expect(() => checkAuthorizationConfiguration(parseAuthorizationConfiguration(file))).toThrow(message);
  });

  it.each<[string, readonly object[], string]>([
    ['no type', [{ name: 'x' }], 'authorizers[0].type: Required value'],
    [
      'another type',
      [{ type: 'Foo', name: 'foo' }],
      'authorizers[0].type: Unsupported value: "Foo": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    ['a type twice', [RBAC, RBAC], 'authorizers[1].type: Duplicate value: "RBAC"'],
    ['ABAC', [{ type: 'ABAC', name: 'abac' }], 'this server has no ABAC: use RBAC, or a webhook'],
    ['no name', [{ type: 'RBAC' }], 'authorizers[0].name: Required value'],
    ['a name twice', [hook(), hook()], 'authorizers[1].name: Duplicate value: "opa"'],
    ['a wrong name', [hook({}, 'A_b')], 'authorizers[0].name: Invalid value: "A_b": authorizer name is invalid: '],
    ['another name', [{ type: 'RBAC', name: 'mine' }], 'expected name rbac for authorizer RBAC instead of mine'],
    [
      'no webhook',
      [{ type: 'Webhook', name: 'x' }],
      'authorizers[0].webhook: Required value: required when type=Webhook',
    ],
    [
      'a webhook of RBAC',
      [{ ...RBAC, webhook: WEBHOOK }],
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    ['no timeout', [hook({ timeout: undefined })], 'authorizers[0].timeout: Required value'],
    ['a timeout of zero', [hook({ timeout: '0s' })], 'authorizers[0].timeout: Required value'],
    [
      'a long timeout',
      [RBAC, hook({ timeout: '31s' })],
      'authorizers[1].timeout: Invalid value: "31s": must be > 0s and <= 30s',
    ],
    ['no duration', [hook({ timeout: '3' })], 'authorizers[0].timeout: Invalid value: "3": time: missing unit'],
    [
      'a negative TTL',
      [hook({ authorizedTTL: '-1s' })],
      'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s',
    ],
    ['a negative TTL', [hook({ unauthorizedTTL: '-1s' })], 'unauthorizedTTL: Invalid value: "-1s": must be > 0s'],
    [
      'no version',
      [hook({ subjectAccessReviewVersion: undefined })],
      'authorizers[0].subjectAccessReviewVersion: Required value',
    ],
    [
      'another version',
      [hook({ subjectAccessReviewVersion: 'v2' })],
      'subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
    ],
    [
      'conditions without their version',
      [hook({ matchConditions: [{ expression: 'true' }] })],
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [
      'another version of conditions',
      [hook({ matchConditionSubjectAccessReviewVersion: 'v1beta1' })],
      'matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
    ],
    ['no policy', [hook({ failurePolicy: undefined })], 'authorizers[0].failurePolicy: Required value'],
    [
      'another policy',
      [hook({ failurePolicy: 'Allow' })],
      'failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny"',
    ],
    ['no connection', [hook({ connectionInfo: undefined })], 'authorizers[0].connectionInfo.type: Required value'],
    [
      'a cluster',
      [hook({ connectionInfo: { type: 'InClusterConfig' } })],
      'connectionInfo.type: Invalid value: "InClusterConfig": this server does not run in a cluster of its own',
    ],
    [
      'another connection',
      [hook({ connectionInfo: { type: 'Foo' } })],
      'connectionInfo.type: Unsupported value: {"Type":"Foo","KubeConfigFile":null}: supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    [
      'no file',
      [hook({ connectionInfo: { type: 'KubeConfigFile' } })],
      'authorizers[0].connectionInfo.kubeConfigFile: Required value',
    ],
    [
      'a relative file',
      [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } })],
      'kubeConfigFile: Invalid value: "x": must be an absolute path',
    ],
  ])('with %s is refused', (_what, authorizers, message) => {
    expect(problem(authorizers)).toContain(message);
  });

  it.each<[string, readonly string[], string]>([
    ['nothing', [' '], 'authorizers[0].matchConditions[0].expression: Required value'],
    ['the same twice', ['true', 'true'], 'authorizers[0].matchConditions[1].expression: Duplicate value: "true"'],
    ['no boolean', ['1'], 'expression: Invalid value: "1": must evaluate to bool but got int'],
    ['an unknown field', ['request.users == ""'], "undefined field 'users'"],
    ['no expression', ['request.'], 'compilation failed: '],
    [
      'too many',
      Array.from({ length: 65 }, (_, index) => `${index} == 1`),
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    ],
  ])('with the condition %s is refused', (_what, expressions, message) => {
    const matchConditions = expressions.map((expression) => ({ expression }));
    const more = { matchConditionSubjectAccessReviewVersion: 'v1', matchConditions };
    expect(problem([hook(more)])).toContain(message);
  });
});

describe('a configured server', () => {
  it('asks several webhooks and RBAC in their order, and reports their failures', async () => {
    await using first = await ReviewWebhook.start();
    await using second = await ReviewWebhook.start();
    const clock = new FakeClock();
    const reloads = new ReloadCounts('me', clock);
    const connect = async (file: string): Promise<{ url: string }> => ({
      url: file === '/first' ? first.url : second.url,
    });
    const conditions = [{ expression: 'has(request.resourceAttributes)' }];
    const authorizers = (failurePolicy: string): readonly object[] => [
      hook(
        {
          connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/first' },
          cacheAuthorizedRequests: false,
          cacheUnauthorizedRequests: false,
          failurePolicy,
          matchConditionSubjectAccessReviewVersion: 'v1',
          matchConditions: conditions,
        },
        'first',
      ),
      RBAC,
      hook({ unauthorizedTTL: '1ms', authorizedTTL: '1ms' }, 'second'),
    ];
    const configuration = (policy: string): ReturnType<typeof parseAuthorizationConfiguration> =>
      parseAuthorizationConfiguration(text(authorizers(policy)));
    const authorization = await ConfiguredAuthorization.create(configuration('NoOpinion'), { connect, clock, reloads });
    reloads.using('text');
    await using server = await InProcessServer.start({ authorization, clock });
    const list = async (query = ''): Promise<unknown> => {
      await clock.advance(10);
      const { status, body } = await server.ask('GET', `/api/v1/namespaces/a/pods${query}`, undefined, { user: BOB });
      return [status, body.message ?? body.kind ?? body];
    };
    const forbidden = 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "a"';

    // No opinion goes on, and reasons are joined; masters are not asked about.
    first.reply = () => ({ allowed: false, reason: 'who?' });
    second.reply = () => ({ allowed: false, reason: 'never heard' });
    expect(await list()).toEqual([403, `${forbidden}: who?\nnever heard`]);
    expect(first.asked[0]?.body.spec).toEqual({
      resourceAttributes: { namespace: 'a', verb: 'list', version: 'v1', resource: 'pods' },
      user: 'bob',
      groups: ['devs', 'system:authenticated'],
    });
    await list('?labelSelector=a%3Db%2C!c&fieldSelector=spec.nodeName%3Dn');
    expect(first.asked[1]?.body.spec.resourceAttributes).toMatchObject({
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }] },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'DoesNotExist' },
        ],
      },
    });
    second.reply = () => ({ allowed: true });
    expect(await list()).toEqual([200, 'PodList']);
    first.reply = () => ({ denied: true, reason: 'no' });
    expect(await list()).toEqual([403, `${forbidden}: no`]);

    // A failure counts when nobody decides, or at once.
    first.reply = () => [400, 'x'];
    expect(await list()).toEqual([200, 'PodList']);
    second.reply = () => [403, 'mine'];
    const uri = '"/api/v1/namespaces/a/pods"';
    const rejected = 'the server rejected our request for an unknown reason';
    expect(await list()).toEqual([500, `Internal Server Error: ${uri}: [${rejected}, mine]\n`]);
    const { steps } = authorization;
    expect(await authorization.replace(configuration('NoOpinion'))).toBe(false);
    expect(authorization.steps).toBe(steps);
    expect(await authorization.replace(configuration('Deny'))).toBe(true);
    expect(await list()).toEqual([500, `Internal Server Error: ${uri}: ${rejected}\n`]);
    const spec = { user: 'bob', resourceAttributes: { namespace: 'a', verb: 'list', resource: 'pods' } };
    const review = await server.ok('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec });
    expect(review.status).toEqual({ allowed: false, denied: true, evaluationError: rejected });

    // The condition keeps paths from the first.
    const before = first.asked.length;
    await server.ask('GET', '/nothing', undefined, { user: BOB });
    expect(first.asked).toHaveLength(before);
    expect(second.asked.at(-1)?.body.spec.nonResourceAttributes).toEqual({ path: '/nothing', verb: 'get' });

    const rules = { spec: { namespace: 'a' } };
    const listed = await server.ok('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', rules);
    expect(listed.status).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });

    // A changed configuration must have the built-in authorizers of the start.
    const only = (...all: readonly object[]): Promise<boolean> =>
      authorization.replace(parseAuthorizationConfiguration(text(all)));
    await expect(only(hook())).rejects.toThrow('missing required types: [RBAC]');
    await expect(only(RBAC, { type: 'Node', name: 'node' })).rejects.toThrow(
      'authorizer type Node is not allowed if it was not enabled at initial server startup',
    );
    expect(await list()).toEqual([500, `Internal Server Error: ${uri}: ${rejected}\n`]);
    await only({ type: 'AlwaysDeny', name: 'alwaysdeny' }, RBAC);
    expect(await list()).toEqual([403, `${forbidden}: Everything is forbidden.`]);
    reloads.count('success');
    reloads.count('failure');
    const metrics = await server.ask('GET', '/metrics');
    for (const line of [
      'apiserver_authorization_webhook_evaluations_total{name="first",result="success"}',
      'apiserver_authorization_webhook_duration_seconds_count{name="second",result="error"}',
      'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="first"}',
      'apiserver_authorization_config_controller_automatic_reloads_total{status="failure",apiserver_id_hash="sha256:',
      'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds{status="success"',
      'apiserver_authorization_config_controller_last_config_info{apiserver_id_hash="sha256:',
    ]) {
      expect(
        metrics.body.split('\n').some((one: string) => one.startsWith(line)),
        line,
      ).toBe(true);
    }
    authorization.close();
  });
});
