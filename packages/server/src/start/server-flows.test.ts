import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it, vi } from 'vitest';
import { accessAttributes } from '../access/authorizer.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { builtInKind } from '../kinds/built-in-definitions.fixture.ts';
import { breakableFeed } from '../read/breakable-feed.fixture.ts';
import { parseRoute } from '../route/parse-route.ts';
import { parseTarget } from '../route/request-target.ts';
import { InProcessServer } from './in-process-server.fixture.ts';
import { serverFlows } from './server-flows.ts';

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1';
const PATH = '/api/v1/namespaces/default/configmaps';
const ANN = { user: { name: 'ann', groups: ['system:authenticated'] } };
const SCHEMA_HEADER = 'x-kubernetes-pf-flowschema-uid';

it('limits requests by the last known objects while the feed of the caches is lost', async () => {
  const feed = breakableFeed();
  await using api = await InProcessServer.start({ engine: feed.engine, authorization: 'AlwaysAllow' });
  const { items } = await api.ok('GET', `${FLOWS}/flowschemas`);
  const globalDefault = items.find(
    ({ metadata }: { metadata: { name: string } }) => metadata.name === 'global-default',
  );
  feed.breakFeed();
  // Lists that need the cache are refused while it is lost.
  await vi.waitFor(async () => expect((await api.ask('GET', PATH)).status).toBe(429));
  const { status, headers } = await api.ask('GET', '/version', undefined, ANN);
  expect([status, headers[SCHEMA_HEADER]]).toEqual([200, globalDefault.metadata.uid]);
});

it('limits requests before the objects were ever read, but for those of masters', () => {
  const clock = new FakeClock();
  const schemaCache = new ResourceCache({ definition: builtInKind('flowcontrol/v1.FlowSchema'), clock });
  const levelCache = new ResourceCache({
    definition: builtInKind('flowcontrol/v1.PriorityLevelConfiguration'),
    clock,
  });
  const flows = serverFlows({ schemaCache, levelCache, clock, maxReads: 2, maxMutating: 1 });
  const enter = (...groups: string[]) => {
    const target = parseTarget(PATH) ?? expect.fail(PATH);
    const attributes = accessAttributes(parseRoute('GET', target), { name: 'ann', groups });
    const ticket = flows.ticket(attributes, 0, false) ?? expect.fail('the request is not limited');
    return ticket.enter({ waitMs: 1000, onGone: () => undefined });
  };
  const answers = Array.from({ length: 4 }, () => enter('system:authenticated'));
  expect(answers).toEqual([undefined, undefined, undefined, { reason: 'concurrency-limit', retryAfterSeconds: 1 }]);
  expect(enter('system:masters')).toBeUndefined();
  flows.close();
});
