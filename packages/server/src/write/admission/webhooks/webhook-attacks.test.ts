import { FakeClock } from '@listwatch/api/fake-clock';
import { builtInKind, QuickBudget, TooLongHere } from '@listwatch/rules/internal';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ResourceCache } from '../../../cache/resource-cache.ts';
import { isOwnAddress } from '../../../forward/allowed-address.ts';
import { ConditionMetrics } from '../dynamic/condition-metrics.ts';
import { type CompiledWebhook, compileWebhook } from './compiled-webhook.ts';
import { createWebhooks } from './create-webhooks.ts';
import { HookedServer, HookServer } from './hook-server.fixture.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { certificateProblem, connectionProblem } from './webhook-words.ts';

let hooked: HookedServer;

beforeAll(async () => {
  hooked = await HookedServer.start();
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

async function refusalOf(status: object): Promise<Awaited<ReturnType<HookedServer['create']>>> {
  const ns = await hooked.namespace();
  hooked.hook.answers['a'] = { allowed: false, status };
  await hooked.configure('Validating', hooked.hookOf(ns, 'a'));
  return hooked.create(ns, 'a');
}

describe('the Status of a denial', () => {
  it.each<[object, string]>([
    [{ code: '403' }, 'string into Go struct field Status.response.status.code of type int32'],
    [{ code: 418.5 }, 'number 418.5 into Go struct field Status.response.status.code of type int32'],
    [{ code: 3e9 }, 'number 3000000000 into Go struct field Status.response.status.code of type int32'],
    [{ message: {} }, 'object into Go struct field Status.response.status.message of type string'],
    [{ metadata: 'x' }, 'string into Go struct field Status.response.status.metadata of type v1.ListMeta'],
    [{ details: [1] }, 'array into Go struct field Status.response.status.details of type v1.StatusDetails'],
    [
      { details: { retryAfterSeconds: '1\r\nx: y' } },
      'string into Go struct field StatusDetails.response.status.details.retryAfterSeconds of type int32',
    ],
    [
      { details: { causes: [{ reason: 1 }] } },
      'number into Go struct field StatusCause.response.status.details.causes.reason of type v1.CauseType',
    ],
  ])('%j has failed: no client could read it', async (status, message) => {
    const { status: code, body } = await refusalOf(status);
    expect([code, body.message]).toEqual([500, expect.stringContaining(`json: cannot unmarshal ${message}`)]);
  });

  it('reaches the client without fields that a Status does not have', async () => {
    const sent =
      '{"__proto__":{"code":200},"constructor":1,"message":"no","details":{"name":"a","more":1,"causes":[{"field":"x","y":1}]}}';
    const { status, body } = await refusalOf(JSON.parse(sent));
    expect(status).toBe(400);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "a.hook.example.com" denied the request: no',
      details: { name: 'a', causes: [{ field: 'x' }] },
      code: 400,
    });
    expect(Object.hasOwn(body, '__proto__')).toBe(false);
  });

  it('has one series of metrics for all codes from 600', async () => {
    for (const code of [1000, 2000, 30_000]) await refusalOf({ code });
    const { body } = await hooked.server.ask('GET', '/metrics');
    const codes = new Set(String(body).match(/webhook_request_total\{code="\d+"/gu));
    expect(codes).not.toContain('webhook_request_total{code="1000"');
    expect(codes).toContain('webhook_request_total{code="600"');
  });
});

function compiled(bytes: number): CompiledWebhook {
  const matchConditions = [{ name: 'c', expression: `object.data.k != "${'x'.repeat(bytes)}"` }];
  return compileWebhook('validating', 'c', { matchConditions }, 0);
}

describe('the certificate of a webhook', () => {
  it('counts by its alternative names only, never by its Common Name', async () => {
    await using nameless = await HookServer.start({ isNameless: true });
    const ns = await hooked.namespace();
    const clientConfig = { url: `https://localhost:${nameless.port}/a`, caBundle: hooked.hook.caBundle };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { clientConfig }));
    const { status, body } = await hooked.create(ns, 'a');
    const why = 'x509: certificate relies on legacy Common Name field, use SANs instead';
    expect([status, body.message]).toEqual([500, expect.stringContaining(why)]);
    expect(nameless.calls).toEqual([]);
    const metrics = await hooked.server.ask('GET', '/metrics');
    expect(metrics.body).toContain('apiserver_webhooks_x509_missing_san_total 1');
  });

  it('is counted, too, when it is signed with SHA-1, which OpenSSL refuses', () => {
    const error = new Error('CA signature digest algorithm too weak');
    expect(certificateProblem(error)).toBe('insecure-sha1');
    expect(connectionProblem(error, 'a.b.svc', 443)).toContain('x509: cannot verify signature: insecure algorithm');
    expect(certificateProblem(new Error('another one'))).toBeUndefined();
  });
});

describe('the address of a webhook', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'])(
    'is not that of this server, which does not call itself: %s',
    async (host) => {
      await using target = await HookServer.start();
      const caller = new WebhookCaller({
        clock: new FakeClock(),
        resolveService: () => ({ host: '', port: 0 }),
        isOwn: (address, port) => port === target.port && isOwnAddress(address),
      });
      const clientConfig = { url: `https://${host}:${target.port}/a`, caBundle: target.caBundle };
      const hook = compileWebhook('validating', 'c', { name: 'a.hook.example.com', clientConfig }, 0);
      const send = { body: () => Buffer.from('{}'), remainingMs: 1000, signal: new AbortController().signal };
      await expect(caller.call(hook, send)).rejects.toThrow('this server does not call itself');
      expect(target.connections).toBe(0);
      caller.close();
    },
  );
});

describe('webhooks', () => {
  it('let no write pass as long as their configurations were never read', () => {
    const clock = new FakeClock();
    const { mutating, validating } = createWebhooks({
      cacheOf: (type) => new ResourceCache({ definition: builtInKind(type), clock }),
      kinds: [],
      authorizer: { authorize: () => ({ allowed: false }) },
      storedNamespace: async () => undefined,
      clock,
      now: () => 0,
      elsewhere: undefined,
      resolveService: () => ({ host: '', port: 0 }),
      isOwn: () => false,
      conditionMetrics: new ConditionMetrics(),
    });
    const definition = builtInKind('core/v1.ConfigMap');
    const head = { operation: 'CREATE', definition, subresource: '', namespace: 'a' } as const;
    expect(() => mutating.concerns(head)).toThrow(expect.objectContaining({ httpCode: 429 }));
    expect(() => validating.concerns(head)).toThrow(expect.objectContaining({ httpCode: 429 }));
  });

  it('of one name in a mutating and a validating configuration are counted apart', async () => {
    const ns = await hooked.namespace();
    const name = 'both';
    let answer: (() => void) | undefined;
    hooked.hook.answers['b'] = (review, response) => {
      answer = () =>
        response.end(
          JSON.stringify({
            apiVersion: review.apiVersion,
            kind: 'AdmissionReview',
            response: { uid: review.request.uid, allowed: true },
          }),
        );
      return undefined;
    };
    const group = '/apis/admissionregistration.k8s.io/v1';
    for (const type of ['mutating', 'validating']) {
      const path = `${group}/${type}webhookconfigurations`;
      await hooked.server.ok('POST', path, {
        metadata: { name },
        webhooks: [hooked.hookOf(ns, type === 'mutating' ? 'a' : 'b', { name: 'one.hook.example.com' })],
      });
      await hooked.server.ok('GET', path);
    }
    const creating = hooked.create(ns, 'a');
    await vi.waitFor(() => expect(answer).toBeDefined(), { timeout: 20_000 });
    const { webhooks } = await hooked.server.ok('GET', '/debug/webhooks');
    const own = webhooks.filter(({ configuration }: { configuration: string }) => configuration === name);
    expect(own.map(({ type, inFlight }: { type: string; inFlight: number }) => [type, inFlight])).toEqual([
      ['mutating', 0],
    ]);
    answer?.();
    expect((await creating).status).toBe(201);
    for (const type of ['mutating', 'validating'])
      await hooked.server.ok('DELETE', `${group}/${type}webhookconfigurations/${name}`);
  });

  it('with large match conditions are compiled in another thread only', () => {
    expect(() => compiled(32 * 1024).conditions(new QuickBudget())).toThrow(TooLongHere);
    // The budget is that of a request: several that are small together are too large.
    const budget = new QuickBudget();
    const [first, second] = [compiled(12 * 1024), compiled(12 * 1024)];
    expect(first.conditions(budget)).toBe(first.conditions(budget));
    expect(() => second.conditions(budget)).toThrow(TooLongHere);
    budget.renew();
    expect(second.conditions(budget).isEmpty).toBe(false);
  });
});
