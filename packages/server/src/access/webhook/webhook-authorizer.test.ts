import type { ServerResponse } from 'node:http';
import { FakeClock } from '@listwatch/api/fake-clock';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccessAttributes, DenyingFailure } from '../../contract/authorization.ts';
import { matchFilter } from './match-conditions.ts';
import { ReviewWebhook } from './review-webhook.fixture.ts';
import { WebhookAuthorizer, type WebhookAuthorizerOptions, type WebhookLimits } from './webhook-authorizer.ts';
import { WebhookCounts } from './webhook-counts.ts';

const BOB = { name: 'bob', uid: '7', groups: ['devs', 'system:authenticated'], extra: { z: ['2'], a: ['1', '0'] } };
const LIST_PODS: AccessAttributes = {
  user: BOB,
  verb: 'list',
  isResource: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '/api/v1/namespaces/a/pods',
};
const PATH: AccessAttributes = { ...LIST_PODS, isResource: false, verb: 'get', path: '/x', version: '', resource: '' };

let webhook: ReviewWebhook;
let clock: FakeClock;
let counts: WebhookCounts;
const made: WebhookAuthorizer[] = [];

beforeEach(async () => {
  clock = new FakeClock();
  counts = new WebhookCounts();
  webhook = await ReviewWebhook.start();
});
afterEach(async () => {
  for (const authorizer of made.splice(0)) authorizer.close();
  await webhook[Symbol.asyncDispose]();
});

function make(options: Partial<WebhookAuthorizerOptions> = {}, limits: Partial<WebhookLimits> = {}): WebhookAuthorizer {
  const url = options.url ?? webhook.url;
  const all = { name: 'w', failurePolicy: 'NoOpinion', ...options, url } as const;
  const authorizer = new WebhookAuthorizer(all, { clock, counts, limits });
  made.push(authorizer);
  return authorizer;
}

/** Settles while the clock goes on, for retries. */
async function settled<T>(work: Promise<T> | T): Promise<T> {
  let isDone = false;
  const ending = Promise.resolve(work).finally(() => {
    isDone = true;
  });
  ending.catch(() => {});
  await vi.waitFor(
    async () => {
      await clock.advance(1000);
      expect(isDone).toBe(true);
    },
    { timeout: 20_000, interval: 5 },
  );
  return ending;
}

async function metrics(pattern: RegExp): Promise<readonly string[]> {
  const registry = new Registry();
  counts.register(registry);
  return (await registry.metrics()).split('\n').filter((line) => pattern.test(line) && !line.startsWith('#'));
}

describe('the webhook authorizer', () => {
  it('sends what kube-apiserver sends', async () => {
    const authorizer = make({ timeoutMs: 2500, token: 'secret' });
    const labelSelector = [
      { key: 'a', operator: 'In', values: ['b'] },
      { key: 'c', operator: 'Exists', values: [] },
    ] as const;
    const fieldSelector = [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n'] }] as const;
    await authorizer.authorize({ ...LIST_PODS, labelSelector, fieldSelector });
    await authorizer.authorize(PATH);
    await authorizer.authorize({ ...PATH, user: { name: 'system:anonymous', groups: [] } });
    expect(webhook.asked.map(({ target }) => target)).toEqual(
      Array.from({ length: 3 }, () => '/authorize?timeout=2.5s'),
    );
    expect(webhook.asked[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer secret',
    });
    const user = { user: 'bob', groups: BOB.groups, extra: { a: ['1', '0'], z: ['2'] }, uid: '7' };
    expect(JSON.stringify(webhook.asked.map(({ body }) => body))).toEqual(
      JSON.stringify(
        [
          {
            resourceAttributes: {
              namespace: 'a',
              verb: 'list',
              version: 'v1',
              resource: 'pods',
              fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n'] }] },
              labelSelector: {
                requirements: [
                  { key: 'a', operator: 'In', values: ['b'] },
                  { key: 'c', operator: 'Exists' },
                ],
              },
            },
            ...user,
          },
          { nonResourceAttributes: { path: '/x', verb: 'get' }, ...user },
          { nonResourceAttributes: { path: '/x', verb: 'get' }, user: 'system:anonymous' },
        ].map((spec) => ({
          kind: 'SubjectAccessReview',
          apiVersion: 'authorization.k8s.io/v1',
          metadata: {},
          spec,
          status: { allowed: false },
        })),
      ),
    );
  });

  it('sends v1beta1 with its own name of groups', async () => {
    await make({ version: 'v1beta1' }).authorize(PATH);
    expect(webhook.asked[0]?.body).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1beta1',
      metadata: {},
      spec: {
        nonResourceAttributes: { path: '/x', verb: 'get' },
        user: 'bob',
        group: BOB.groups,
        extra: BOB.extra,
        uid: '7',
      },
      status: { allowed: false },
    });
  });

  it('allows, denies or has no opinion, with the reason', async () => {
    const authorizer = make({ authorizedTtlMs: 0, unauthorizedTtlMs: 0 });
    const answers = [
      [
        { allowed: true, reason: 'yes' },
        { allowed: true, reason: 'yes' },
      ],
      [
        { allowed: false, denied: true, reason: 'no' },
        { allowed: false, denied: true, reason: 'no' },
      ],
      [
        { allowed: false, reason: 'perhaps' },
        { allowed: false, reason: 'perhaps' },
      ],
      [{}, { allowed: false }],
    ];
    for (const [reply, decision] of answers) {
      webhook.reply = () => reply ?? {};
      expect(await authorizer.authorize(LIST_PODS)).toEqual(decision);
    }
    webhook.reply = () => ({ allowed: true, denied: true, reason: 'both' });
    const both = Promise.resolve(authorizer.authorize(LIST_PODS));
    await expect(both).rejects.toThrow('webhook subject access review returned both allow and deny response');
    await expect(both).rejects.toMatchObject({ name: 'DenyingFailure', reason: 'both' });
    expect(authorizer.rules()).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });

  it('asks once for all who have the same question, and again after the time to live of its answer', async () => {
    const authorizer = make({ authorizedTtlMs: 1000, unauthorizedTtlMs: 10 });
    webhook.reply = ({ body }) => ({ allowed: body.spec.user === 'bob' });
    const ann = { ...LIST_PODS, user: { name: 'ann', groups: [] } };
    await Promise.all([1, 2, 3].map(async () => authorizer.authorize(LIST_PODS)));
    await authorizer.authorize(ann);
    expect(webhook.asked).toHaveLength(2);
    await clock.advance(9);
    await authorizer.authorize(ann);
    expect(webhook.asked).toHaveLength(2);
    await clock.advance(1);
    await authorizer.authorize(ann);
    await authorizer.authorize(LIST_PODS);
    expect(webhook.asked).toHaveLength(3);
    await clock.advance(1000);
    await authorizer.authorize(LIST_PODS);
    expect(webhook.asked).toHaveLength(4);
    // What a stranger can make long is not kept: neither are long reasons.
    const long = { ...LIST_PODS, name: 'x'.repeat(10_000) };
    for (const _ of [1, 2]) await authorizer.authorize(long);
    expect(webhook.asked).toHaveLength(6);
    webhook.reply = () => ({ allowed: true, reason: 'x'.repeat(10_000) });
    for (const _ of [1, 2]) await authorizer.authorize({ ...LIST_PODS, name: 'y' });
    expect(webhook.asked).toHaveLength(8);
  });

  it.each([
    [500, 'down\n', 'an error on the server ("down") has prevented the request from succeeding', 5],
    [502, 'bad', 'an error on the server ("bad") has prevented the request from succeeding', 5],
    [429, '', 'the server has received too many requests and has asked us to try again later', 5],
    [
      504,
      '',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
      5,
    ],
    [503, '', 'the server is currently unable to handle the request', 1],
    [400, 'x', 'the server rejected our request for an unknown reason', 1],
    [401, 'x', 'the server has asked for the client to provide credentials', 1],
    [403, 'go away', 'go away', 1],
    [404, 'x', 'the server could not find the requested resource', 1],
    [418, 'x', 'the server responded with the status code 418 but did not return more information', 1],
    [400, '{"kind":"Status","message":"my own words"}', 'my own words', 1],
    [302, 'x', 'the server responded with the status code 302 but did not return more information', 1],
    [307, 'x', 'the server responded with the status code 307 but did not return more information', 1],
  ])('answered %i %j fails with %j after %i attempts', async (code, text, message, attempts) => {
    webhook.reply = () => (response) => response.writeHead(code, { location: webhook.url }).end(text);
    await expect(settled(make().authorize(LIST_PODS))).rejects.toThrow(message);
    expect(webhook.asked).toHaveLength(attempts);
    const [line] = await metrics(/fail_open_total\{/u);
    expect(line).toBe(
      `apiserver_authorization_webhook_evaluations_fail_open_total{name="w",result="${code === 504 ? 'timeout' : 'error'}"} 1`,
    );
  });

  it('goes on when a later attempt succeeds', async () => {
    webhook.reply = () => (webhook.asked.length < 3 ? [500, 'x'] : { allowed: true });
    expect(await settled(make().authorize(LIST_PODS))).toEqual({ allowed: true });
    expect(await metrics(/evaluations_total/u)).toEqual([
      'apiserver_authorization_webhook_evaluations_total{name="w",result="error"} 2',
      'apiserver_authorization_webhook_evaluations_total{name="w",result="success"} 1',
    ]);
  });

  it('that cannot be reached, or does not answer in time, fails at once and is asked again by the next request', async () => {
    const dead = make({ url: 'http://127.0.0.1:1/x' });
    await expect(Promise.resolve(dead.authorize(LIST_PODS))).rejects.toThrow(
      'Post "http://127.0.0.1:1/x?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    const slow = make({ timeoutMs: 3000 });
    webhook.reply = () => () => {};
    const waiting = Promise.resolve(slow.authorize(LIST_PODS));
    await vi.waitFor(() => expect(webhook.asked).toHaveLength(1));
    expect(slow.state.waiting).toBe(1);
    await expect(settled(waiting)).rejects.toThrow(
      /Post ".*timeout=3s": context deadline exceeded \(Client.Timeout exceeded while awaiting headers\)/u,
    );
    expect(webhook.asked).toHaveLength(1);
    expect(slow.state.waiting).toBe(0);
    expect(await metrics(/evaluations_total.*timeout/u)).toHaveLength(1);
    webhook.reply = () => ({ allowed: true });
    expect(await slow.authorize(LIST_PODS)).toEqual({ allowed: true });
  });

  it.each<[string, string | object]>([
    ['a text for a permission', { status: { allowed: 'true' } }],
    ['a number for a permission', { status: { allowed: 1 } }],
    ['a list', []],
    ['no JSON', 'allowed: true'],
    ['another kind', { kind: 'Status', status: { allowed: true } }],
    ['another group', { apiVersion: 'v1', status: { allowed: true } }],
    ['a reason that is none', { status: { allowed: true, reason: { toString: 'x' } } }],
    ['10 MB', { status: { allowed: true, reason: 'x'.repeat(10_000_000) } }],
  ])('that answers %s is not believed', async (_what, value) => {
    webhook.reply = () => (response) => response.end(typeof value === 'string' ? value : JSON.stringify(value));
    await expect(Promise.resolve(make().authorize(LIST_PODS))).rejects.toThrow(
      /webhook cannot be used|did not answer|more than/u,
    );
    expect(webhook.asked).toHaveLength(1);
  });

  it('follows no redirect', async () => {
    await using other = await ReviewWebhook.start();
    other.reply = () => ({ allowed: true });
    webhook.reply = () => (response) => response.writeHead(307, { location: other.url }).end();
    await expect(Promise.resolve(make().authorize(LIST_PODS))).rejects.toThrow('status code 307');
    expect(other.asked).toEqual([]);
  });

  it('that is slow holds a bounded number of requests, and few questions at one time', async () => {
    const held: ServerResponse[] = [];
    webhook.reply = () => (response) => void held.push(response);
    const authorizer = make({ failurePolicy: 'Deny', timeoutMs: 5000 }, { calls: 2, waiting: 10 });
    const ask = async (name: string): Promise<unknown> => authorizer.authorize({ ...LIST_PODS, name });
    const [first, ...others] = ['a', 'b', 'c', 'd', ...Array.from({ length: 6 }, () => 'b')].map(ask);
    const ends = Promise.allSettled(others);
    const problem = new DenyingFailure('too many requests wait for the webhook w');
    await expect(ask('b')).rejects.toEqual(problem);
    expect(authorizer.state).toMatchObject({ waiting: 10, refused: 1 });
    await vi.waitFor(() => expect(held).toHaveLength(2));
    const names = (): unknown => webhook.asked.map(({ body }) => body.spec.resourceAttributes.name);
    expect(names()).toEqual(['a', 'b']);
    // One that ends gives its place to the next; the last one never has a turn.
    held[0]?.end(JSON.stringify({ status: { allowed: true } }));
    expect(await first).toEqual({ allowed: true });
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c']));
    const outcomes = await settled(ends);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(authorizer.state.waiting).toBe(0);
    // Every place is free again.
    webhook.reply = () => ({ allowed: true });
    expect(await Promise.all(['e', 'f', 'g', 'h'].map(ask))).toHaveLength(4);
  });

  it('keeps a bounded number of decisions', async () => {
    webhook.reply = () => ({ allowed: true });
    const authorizer = make({}, { decisions: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'a', 'd']) await authorizer.authorize({ ...LIST_PODS, name });
    expect(authorizer.state.cache).toMatchObject({ size: 3, hits: 1 });
    expect(webhook.asked).toHaveLength(5);
  });

  it('is asked only about what its conditions match, and fails when one of them does', async () => {
    const condition = "request.resourceAttributes.namespace == 'a'";
    const filter = matchFilter([condition, 'request.groups.exists(g, g == "devs")']);
    webhook.reply = () => ({ allowed: true });
    const authorizer = make({ filter });
    expect(await authorizer.authorize(LIST_PODS)).toEqual({ allowed: true });
    expect(authorizer.authorize({ ...LIST_PODS, namespace: 'b' })).toEqual({ allowed: false });
    const message = `cel evaluation error: expression '${condition}' resulted in error: no such key: resourceAttributes`;
    expect(() => authorizer.authorize(PATH)).toThrow(message);
    // One that is false decides, whatever others do.
    expect(authorizer.authorize({ ...PATH, user: { name: 'ann', groups: [] } })).toEqual({ allowed: false });
    expect(() => make({ filter, failurePolicy: 'Deny' }).authorize(PATH)).toThrow(DenyingFailure);
    expect(webhook.asked).toHaveLength(1);
    expect(await metrics(/match_condition_(?:exclusions|evaluation_errors)|seconds_count\{type/u)).toEqual([
      'apiserver_authorization_match_condition_evaluation_errors_total{type="Webhook",name="w"} 2',
      'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="w"} 2',
      'apiserver_authorization_match_condition_evaluation_seconds_count{type="Webhook",name="w"} 5',
    ]);
  });

  it('refuses an address that is none, and times beyond the limit', () => {
    expect(() => make({ url: 'ftp://x' })).toThrow('webhook w: url must be one of https or http, not "ftp://x"');
    expect(() => make({ timeoutMs: 30_001 })).toThrow('timeoutMs must be more than 0 and at most 30000, not 30001');
  });
});
