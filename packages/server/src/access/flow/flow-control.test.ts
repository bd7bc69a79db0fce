import { describe, expect, it, vi } from 'vitest';
import { InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1';
const SCHEMAS = `${FLOWS}/flowschemas`;
const LEVELS = `${FLOWS}/prioritylevelconfigurations`;
const PATH = '/api/v1/namespaces/default/configmaps';
const ANN = { user: { name: 'ann', groups: ['system:authenticated'] } };
const SCHEMA_HEADER = 'x-kubernetes-pf-flowschema-uid';
const LEVEL_HEADER = 'x-kubernetes-pf-prioritylevel-uid';

/** A level that gives no seats, so that every request waits or is refused. */
function level(name: string, queuing: object | undefined): object {
  const limitResponse = queuing === undefined ? { type: 'Reject' } : { type: 'Queue', queuing };
  const limited = { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, lendablePercent: 0, limitResponse };
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name },
    spec: { type: 'Limited', limited },
  };
}

function schema(name: string, levelName: string, user = 'ann'): object {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: levelName },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: user } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  };
}

async function started(): Promise<InProcessServer> {
  return InProcessServer.start({ authorization: 'AlwaysAllow' });
}

/** A server whose user ann is in a level without seats. */
async function withoutSeats(queuing?: object): Promise<InProcessServer> {
  const api = await started();
  await api.ok('POST', LEVELS, level('none', queuing));
  await api.ok('POST', SCHEMAS, schema('none', 'none'));
  return api;
}

async function metric(api: InProcessServer, line: string): Promise<string | undefined> {
  const { body } = await api.ask('GET', '/metrics');
  return String(body)
    .split('\n')
    .find((one) => one.startsWith(line));
}

describe('a level that rejects', () => {
  it('answers 429 at once, in the words of kube-apiserver, also for paths that are no resources', async () => {
    await using api = await withoutSeats();
    const made: Json = await api.ok('GET', `${SCHEMAS}/none`);
    for (const path of [PATH, '/version', `${PATH}?watch=true`]) {
      const { status, headers, body } = await api.ask('GET', path, undefined, ANN);
      expect([status, body]).toEqual([429, 'Too many requests, please try again later.\n']);
      expect(headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'retry-after': '1',
        [SCHEMA_HEADER]: made.metadata.uid,
      });
      expect(headers[LEVEL_HEADER]).toMatch(/^[0-9a-f-]{36}$/u);
    }
    expect(await metric(api, 'apiserver_flowcontrol_rejected_requests_total')).toBe(
      'apiserver_flowcontrol_rejected_requests_total{priority_level="none",flow_schema="none",reason="concurrency-limit"} 3',
    );
    expect(await metric(api, 'apiserver_request_terminations_total{verb="GET"')).toContain('code="429"');
    expect((await api.ask('GET', PATH)).status).toBe(200);
    expect((await api.ask('GET', '/metrics', undefined, ANN)).status).toBe(200);
  });

  it('raises Retry-After while rejections go on', async () => {
    await using api = await withoutSeats();
    const seen: string[] = [];
    for (let second = 0; second < 17; second += 1) {
      for (let count = 0; count < 4; count += 1) await api.ask('GET', '/version', undefined, ANN);
      seen.push((await api.ask('GET', '/version', undefined, ANN)).headers['retry-after'] ?? '');
      await api.clock.advance(1000);
    }
    expect([seen[0], seen[1], seen[3], seen[7], seen[15]]).toEqual(['1', '2', '4', '8', '16']);
  });
});

describe('a level with queues', () => {
  const QUEUING = { queues: 1, handSize: 1, queueLengthLimit: 1 };

  it('lets requests wait a quarter of their time, then answers 429', async () => {
    await using api = await withoutSeats(QUEUING);
    const waiting = api.ask('GET', `${PATH}?timeout=8s`, undefined, ANN);
    await vi.waitFor(async () =>
      expect(await dump(api, 'dump_priority_levels')).toMatch(/^none, +1, +false, +false, +1, +0, /mu),
    );
    const rejected = await api.ask('GET', PATH, undefined, ANN);
    expect(rejected.status).toBe(429);
    await api.clock.advance(1999);
    expect(await dump(api, 'dump_priority_levels')).toMatch(/^none, +1, /mu);
    await api.clock.advance(1);
    expect((await waiting).status).toBe(429);
    const { body } = await api.ask('GET', '/metrics');
    for (const reason of ['queue-full', 'time-out']) {
      expect(body).toContain(`rejected_requests_total{priority_level="none",flow_schema="none",reason="${reason}"} 1`);
    }
  });

  it('shows in dumps, under the columns of kube-apiserver, what waits in which queue', async () => {
    await using api = await withoutSeats(QUEUING);
    const waiting = api.ask('GET', `${PATH}?timeout=8s`, undefined, ANN);
    const rows = async (name: string): Promise<readonly (readonly string[])[]> =>
      (await dump(api, name)).split('\n').map((line) => line.split(',').map((cell) => cell.trim()));
    await vi.waitFor(async () =>
      // Pending, executing, seats in use, then the virtual time of the next dispatch, and three sums of what waits.
      expect(await rows('dump_queues')).toContainEqual([
        'none',
        '0',
        '1',
        '0',
        '0',
        '0.00000000ss',
        '1',
        '1',
        '0.00300000ss',
      ]),
    );
    const heads = ['dump_priority_levels', 'dump_queues', 'dump_requests', 'dump_requests?includeRequestDetails=1'];
    const columns = await Promise.all(heads.map(async (name) => (await rows(name))[0]?.join(' ')));
    const requests =
      'PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime InitialSeats FinalSeats AdditionalLatency StartTime';
    expect(columns).toEqual([
      'PriorityLevelName ActiveQueues IsIdle IsQuiescing WaitingRequests ExecutingRequests DispatchedRequests RejectedRequests TimedoutRequests CancelledRequests',
      'PriorityLevelName Index PendingRequests ExecutingRequests SeatsInUse NextDispatchR InitialSeatsSum MaxSeatsSum TotalWorkSum',
      requests,
      `${requests} UserName Verb APIPath Namespace Name APIVersion Resource SubResource`,
    ]);
    await api.clock.advance(2000);
    await waiting;
  });

  it('forgets a request whose client leaves', async () => {
    await using api = await withoutSeats(QUEUING);
    const gone = new AbortController();
    const waiting = api.server
      .handle({ method: 'GET', path: PATH, headers: {}, signal: gone.signal }, { user: ANN.user })
      .catch(() => 'left');
    await vi.waitFor(async () => expect(await dump(api, 'dump_requests')).toContain('none'));
    const details = await dump(api, 'dump_requests?includeRequestDetails=1');
    expect(details).toContain('0001-01-01T00:00:00Z');
    expect(details).toMatch(
      /ann, +list, +\/api\/v1\/namespaces\/default\/configmaps, +default, +, +v1, +configmaps, +$/mu,
    );
    gone.abort();
    expect(await waiting).toBe('left');
    await vi.waitFor(async () => expect(await dump(api, 'dump_requests')).not.toContain('none'));
    expect(await metric(api, 'apiserver_flowcontrol_rejected_requests_total')).toContain('reason="time-out"} 1');
  });

  it('serves what waits after its object is deleted, and new requests by the next schema', async () => {
    await using api = await withoutSeats(QUEUING);
    const waiting = api.ask('GET', PATH, undefined, ANN);
    await vi.waitFor(async () => expect(await dump(api, 'dump_requests')).toContain('none'));
    await api.ok('DELETE', `${LEVELS}/none`);
    const globalDefault: Json = await api.ok('GET', `${SCHEMAS}/global-default`);
    await vi.waitFor(async () =>
      expect((await api.ask('GET', PATH, undefined, ANN)).headers[SCHEMA_HEADER]).toBe(globalDefault.metadata.uid),
    );
    expect(await dump(api, 'dump_priority_levels')).toMatch(/^none, +1, +false, +true, /mu);
    await api.clock.advance(15_000);
    expect((await waiting).status).toBe(429);
    expect(await dump(api, 'dump_priority_levels')).not.toMatch(/^none/mu);
  });
});

async function dump(api: InProcessServer, name: string): Promise<string> {
  return (await api.ask('GET', `/debug/api_priority_and_fairness/${name}`)).body;
}

describe('flow control', () => {
  it('shows the seats of all levels in its metrics', async () => {
    await using api = await started();
    await api.ask('GET', PATH, undefined, ANN);
    expect(await metric(api, 'apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"}')).toMatch(
      / 245$/u,
    );
    expect(await metric(api, 'apiserver_flowcontrol_current_limit_seats{priority_level="global-default"}')).toMatch(
      / 56$/u,
    );
    expect(
      await metric(api, 'apiserver_flowcontrol_dispatched_requests_total{priority_level="global-default"'),
    ).toMatch(/ 1$/u);
    expect(
      await metric(api, 'apiserver_flowcontrol_request_wait_duration_seconds_count{priority_level="global-default"'),
    ).toMatch(/ 1$/u);
  });

  it('counts watchers of what is changed, and reads and writes in the whole server', async () => {
    await using api = await started();
    const watch = await api.server.handle(
      { method: 'GET', path: `${PATH}?watch=true`, headers: {} },
      { user: ANN.user },
    );
    expect(watch.status).toBe(200);
    await api.ask('POST', PATH, { metadata: { name: 'a' } }, ANN);
    const of = async (line: string): Promise<number> => Number((await metric(api, line))?.split(' ').at(-1));
    const flow = 'apiserver_flowcontrol_';
    expect(await of(`${flow}watch_count_samples_sum{priority_level="global-default"`)).toBe(1);
    expect(await of(`${flow}watch_count_samples_count{priority_level="global-default"`)).toBe(1);
    await api.clock.advance(1000);
    expect(
      await of(`${flow}read_vs_write_current_requests_count{phase="executing",request_kind="mutating"`),
    ).toBeGreaterThanOrEqual(1e9);
    expect(await of('apiserver_current_inqueue_requests{request_kind="readOnly"}')).toBe(0);
    expect(
      await of('apiserver_request_filter_duration_seconds_count{filter="priorityandfairness"}'),
    ).toBeGreaterThanOrEqual(2);
  });

  it('holds no seat for a watch that has begun, nor for a request that has ended', async () => {
    await using api = await started();
    for (const query of [
      '',
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      '&resourceVersion=1',
    ]) {
      const watch = await api.server.handle(
        { method: 'GET', path: `${PATH}?watch=true${query}`, headers: {} },
        { user: ANN.user },
      );
      expect(watch.status).toBe(200);
    }
    await vi.waitFor(async () =>
      expect(
        await metric(api, 'apiserver_flowcontrol_current_executing_seats{priority_level="global-default"'),
      ).toMatch(/ 0$/u),
    );
  });

  it('counts the loop time of each request, also of its last stretch', async () => {
    await using api = await started();
    await api.ask('GET', PATH, undefined, ANN);
    // A stretch ends when no promise is left to run.
    await vi.waitFor(async () => {
      const line = await metric(api, 'listwatch_flow_loop_seconds_total{priority_level="global-default"');
      expect(Number(line?.split(' ').at(-1))).toBeGreaterThan(0);
    });
  });

  it('takes a body whose length is not told for as large as any', async () => {
    await using api = await started();
    const seats = 'apiserver_flowcontrol_work_estimated_seats_sum{priority_level="global-default"';
    await api.ask('POST', PATH, { metadata: { name: 'a' } }, ANN);
    expect(await metric(api, seats)).toMatch(/ 1$/u);
    const { status } = await api.server.handle(
      { method: 'POST', path: PATH, headers: { 'transfer-encoding': 'chunked' }, body: Buffer.from('{}') },
      { user: ANN.user },
    );
    expect(status).toBeGreaterThanOrEqual(400);
    // As many as one request of the level may take.
    expect(await metric(api, seats)).toMatch(/ 9$/u);
  });

  it('names the schema and level also in answers that refuse, but not where nobody is classified', async () => {
    await using api = await InProcessServer.start();
    const named = async (path: string, user: object): Promise<readonly [number, boolean]> => {
      const { status, headers } = await api.ask('GET', path, undefined, user);
      expect(headers[LEVEL_HEADER] === undefined).toBe(headers[SCHEMA_HEADER] === undefined);
      return [status, headers[SCHEMA_HEADER] !== undefined];
    };
    expect(await named(PATH, ANN)).toEqual([403, true]);
    expect(await named('/api/v1/nothing', {})).toEqual([404, true]);
    expect(await named(PATH, { token: 'wrong' })).toEqual([401, false]);
    expect(await named(`${PATH}?timeout=soon`, {})).toEqual([400, false]);
    expect((await named('/api/v1/namespaces/default/pods/none/log', {}))[1]).toBe(false);
  });

  it('lists FlowSchemas in the order of their precedence', async () => {
    await using api = await started();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { rows }: Json = await api.ok('GET', SCHEMAS, undefined, { accept });
    const precedences = rows.map(({ cells }: Json) => cells[2]);
    expect(precedences).toEqual(precedences.toSorted((a: number, b: number) => a - b));
    expect(rows.map(({ cells }: Json) => cells[0]).slice(0, 2)).toEqual(['exempt', 'probes']);
  });

  it('serves masters while the exempt level is missing, and restores deleted and changed objects within a minute', async () => {
    await using api = await started();
    await api.ok('DELETE', `${LEVELS}/exempt`);
    await api.ok('DELETE', `${SCHEMAS}/global-default`);
    await api.ok(
      'PATCH',
      `${SCHEMAS}/service-accounts`,
      { spec: { matchingPrecedence: 77 } },
      { type: 'application/merge-patch+json' },
    );
    await api.ok('POST', SCHEMAS, {
      ...schema('old', 'exempt'),
      metadata: { name: 'old', annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    });
    await vi.waitFor(async () => expect((await api.ask('GET', PATH)).headers[SCHEMA_HEADER]).toBe(''));
    expect((await api.ask('GET', PATH)).status).toBe(200);
    await api.clock.advance(60_000);
    await vi.waitFor(async () => {
      expect((await api.ask('GET', `${LEVELS}/exempt`)).status).toBe(200);
      expect((await api.ask('GET', `${SCHEMAS}/global-default`)).status).toBe(200);
      expect((await api.ask('GET', `${SCHEMAS}/old`)).status).toBe(404);
    });
    const restored: Json = await api.ok('GET', `${SCHEMAS}/service-accounts`);
    expect(restored.spec.matchingPrecedence).toBe(9000);
  });

  it('says of every FlowSchema whether its level exists, without any controller', async () => {
    await using api = await started();
    const dangling = async (name: string): Promise<unknown> =>
      (await api.ok('GET', `${SCHEMAS}/${name}`)).status?.conditions?.map(({ status }: Json) => status);
    expect(await dangling('global-default')).toEqual(['False']);
    await api.ok('POST', SCHEMAS, schema('mine', 'later'));
    await vi.waitFor(async () => expect(await dangling('mine')).toEqual(['True']));
    await api.ok('POST', LEVELS, level('later', undefined));
    await vi.waitFor(async () => expect(await dangling('mine')).toEqual(['False']));
    await api.ok('DELETE', `${LEVELS}/later`);
    await vi.waitFor(async () => expect(await dangling('mine')).toEqual(['True']));
    const before: Json = await api.ok('GET', `${SCHEMAS}/mine`);
    await api.ok(
      'PATCH',
      `${SCHEMAS}/mine`,
      { metadata: { labels: { a: 'b' } } },
      { type: 'application/merge-patch+json' },
    );
    const after: Json = await api.ok('GET', `${SCHEMAS}/mine`);
    expect(after.status).toEqual(before.status);
  });

  it('does not overwrite without end what another server says of a FlowSchema', async () => {
    await using api = await started();
    const path = `${SCHEMAS}/mine`;
    const dangling = async (): Promise<unknown> => (await api.ok('GET', path)).status?.conditions?.[0]?.status;
    const contradict = async (): Promise<void> => {
      const condition = { type: 'Dangling', status: 'False', reason: 'Found', message: 'x', lastTransitionTime: null };
      const status = { conditions: [condition] };
      await api.ok('PATCH', `${path}/status`, { status }, { type: 'application/merge-patch+json' });
    };
    await api.ok('POST', SCHEMAS, schema('mine', 'none'));
    for (let write = 1; write < 6; write += 1) {
      await vi.waitFor(async () => expect(await dangling()).toBe('True'));
      await contradict();
    }
    await vi.waitFor(async () => expect(await dangling()).toBe('True'));
    await contradict();
    // All schemas are looked at after each change, this one after the first.
    await api.ok('POST', SCHEMAS, schema('next', 'none'));
    await vi.waitFor(async () =>
      expect((await api.ok('GET', `${SCHEMAS}/next`)).status?.conditions?.[0]?.status).toBe('True'),
    );
    expect(await dangling()).toBe('False');
    await api.clock.advance(75_000);
    await vi.waitFor(async () => expect(await dangling()).toBe('True'));
  });

  it('has no headers, seats or dumps when it is switched off', async () => {
    await using api = await InProcessServer.start({ authorization: 'AlwaysAllow', enablePriorityAndFairness: false });
    const { status, headers } = await api.ask('GET', PATH, undefined, ANN);
    expect([status, headers[SCHEMA_HEADER]]).toEqual([200, undefined]);
    expect((await api.ask('GET', '/debug/api_priority_and_fairness/dump_queues')).status).toBe(404);
  });

  it('remembers a bounded number of users that came once', async () => {
    await using api = await started();
    for (let index = 0; index < 1500; index += 1) {
      await api.ask('GET', '/version', undefined, {
        user: { name: `user-${index}`, groups: ['system:authenticated'] },
      });
    }
    const line = await metric(api, 'listwatch_flow_flows{priority_level="global-default"}');
    expect(Number(line?.split(' ').at(-1))).toBeLessThanOrEqual(1024);
  });
});
