import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

interface Schema extends ApiObject {
  readonly spec: object;
  readonly status?: { readonly conditions?: readonly Readonly<Record<string, string>>[] };
}

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', namespaced: false } as const;
const schemas: Resource<Schema> = resource({ ...GROUP, plural: 'flowschemas', kind: 'FlowSchema' });
const levels: Resource<ApiObject & { readonly spec: object }> = resource({
  ...GROUP,
  plural: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
});
const LEVEL = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
const schema = (level: string): object => ({
  priorityLevelConfiguration: { name: level },
  rules: [
    {
      subjects: [{ kind: 'User', user: { name: 'u' } }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    },
  ],
});

let env: TestEnvironment<FakeClock>;
beforeAll(async () => {
  env = await startTestServer({
    clock: new FakeClock({ now: Date.parse('2026-01-01T00:00:00Z') }),
    controllers: ['flow-schema-controller'],
  });
});
afterAll(() => env.close());

async function condition(name: string): Promise<Readonly<Record<string, string>> | undefined> {
  return (await env.cluster.get(schemas, { name })).status?.conditions?.[0];
}

it('a schema whose level exists is not dangling', async () => {
  await vi.waitFor(
    async () =>
      expect(await condition('probes')).toEqual({
        type: 'Dangling',
        status: 'False',
        reason: 'Found',
        message: 'This FlowSchema references the PriorityLevelConfiguration object named "exempt" and it exists',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      }),
    20_000,
  );
  const { metadata } = await env.cluster.get(schemas, { name: 'probes' });
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'api-priority-and-fairness-config-consumer-v1',
      operation: 'Apply',
      subresource: 'status',
    }),
  );
});

it('a schema is dangling until its level is made, and again when that is deleted', async () => {
  const { cluster, clock } = env;
  await cluster.create(schemas, { metadata: { name: 'a' }, spec: schema('l') });
  await vi.waitFor(
    async () =>
      expect(await condition('a')).toMatchObject({
        status: 'True',
        reason: 'NotFound',
        message:
          'This FlowSchema references the PriorityLevelConfiguration object named "l" but there is no such object',
      }),
    20_000,
  );
  await clock.advance(1000);
  await cluster.create(levels, { metadata: { name: 'l' }, spec: LEVEL });
  await vi.waitFor(
    async () =>
      expect(await condition('a')).toMatchObject({ status: 'False', lastTransitionTime: '2026-01-01T00:00:01Z' }),
    20_000,
  );
  await cluster.delete(levels, { name: 'l' });
  await vi.waitFor(async () => expect(await condition('a')).toMatchObject({ status: 'True' }), 20_000);
});

it('the time of the last change stays when the level changes and exists too', async () => {
  const { cluster, clock } = env;
  await cluster.create(schemas, { metadata: { name: 'b' }, spec: schema('exempt') });
  await vi.waitFor(async () => expect(await condition('b')).toMatchObject({ status: 'False' }), 20_000);
  const before = await condition('b');
  await clock.advance(1000);
  await cluster.patch(schemas, { name: 'b' }, { type: 'merge', body: { spec: schema('system') } });
  await vi.waitFor(
    async () =>
      expect(await condition('b')).toEqual({
        ...before,
        message: 'This FlowSchema references the PriorityLevelConfiguration object named "system" and it exists',
      }),
    20_000,
  );
});
