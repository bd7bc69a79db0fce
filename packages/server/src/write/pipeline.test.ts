import { forbidden } from '@listwatch/api';
import type { AdmissionPlugin } from '@listwatch/rules/internal';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import type { HeldClaim } from '../contract/admission.ts';
import { admissionChain } from './admission/admission-chain.ts';
import { type Answer, type ContextParts, VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

async function withPlugin(
  plugin: Partial<AdmissionPlugin>,
  more: ContextParts['admission'] = {},
): Promise<VerbFixture> {
  const chain = admissionChain([{ name: 'Test', types: ['core/v1.ConfigMap'], ...plugin }]);
  return new VerbFixture(createMemoryEngine(), { admission: { ...chain, ...more } }).namespace();
}

/** One write of each kind that creates or changes the ConfigMap `a`. */
function writes(fixture: VerbFixture): Readonly<Record<string, () => Promise<Answer>>> {
  const at = `${MAPS}/a`;
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { sent: '1' } };
  return {
    POST: () => fixture.call('POST', MAPS, { body: map }),
    PUT: () => fixture.call('PUT', at, { body: { ...map, data: { sent: '1', put: '1' } } }),
    merge: () => fixture.call('PATCH', at, { type: MERGE, body: { data: { merge: '1' } } }),
    json: () =>
      fixture.call('PATCH', at, {
        type: 'application/json-patch+json',
        body: [{ op: 'add', path: '/data/json', value: '1' }],
      }),
    strategic: () =>
      fixture.call('PATCH', at, { type: 'application/strategic-merge-patch+json', body: { data: { s: '1' } } }),
    apply: () =>
      fixture.call('PATCH', `${at}?fieldManager=m`, { type: APPLY, body: { ...map, data: { applied: '1' } } }),
  };
}

function broken(): never {
  throw new TypeError('broken');
}

/** Runs `work` once, right before the next commit of a key that ends so. */
function beforeCommit(engine: StorageEngine, end: string, work: () => Promise<unknown>): void {
  const commit = engine.commit.bind(engine);
  let isDone = false;
  vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
    if (!isDone && change.key.endsWith(end)) {
      isDone = true;
      await work();
    }
    return commit(change, options);
  });
}

describe('a plugin that mutates', () => {
  it('sees every way to write, changes what is stored, and owns nothing', async () => {
    const seen: string[] = [];
    const fixture = await withPlugin({
      mutate: ({ operation, object }) => {
        seen.push(operation);
        const labels = { ...object.metadata.labels, seen: String(seen.length) };
        return { ...object, metadata: { ...object.metadata, labels } };
      },
    });
    for (const write of Object.values(writes(fixture))) {
      const { status, body } = await write();
      expect(status).toBeLessThan(300);
      expect(body.metadata.labels).toEqual({ seen: String(seen.length) });
      expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:seen');
    }
    expect(seen).toEqual(['CREATE', 'UPDATE', 'UPDATE', 'UPDATE', 'UPDATE', 'UPDATE']);
    const stored = await fixture.ok('GET', `${MAPS}/a`);
    expect([stored.metadata.labels.seen, stored.data]).toEqual([
      '6',
      { sent: '1', put: '1', merge: '1', json: '1', s: '1', applied: '1' },
    ]);
  });

  it('is asked again after a lost compare, about the newest state, and its warnings are told once', async () => {
    const seen: unknown[] = [];
    const fixture = await withPlugin({
      mutate: ({ object, old, warn }) => {
        seen.push(old?.['data']);
        warn('odd');
        return object;
      },
    });
    await writes(fixture)['POST']?.();
    beforeCommit(fixture.context.store.engine, '/a', () =>
      fixture.ok('PATCH', `${MAPS}/a`, { type: MERGE, body: { data: { between: '1' } } }),
    );
    const answer = await fixture.call('PATCH', `${MAPS}/a`, { type: MERGE, body: { data: { mine: '1' } } });
    expect(answer.body.data).toEqual({ sent: '1', between: '1', mine: '1' });
    const sent = { sent: '1' };
    expect(seen).toEqual([undefined, sent, sent, { ...sent, between: '1' }]);
    expect(answer.headers['warning']).toBe('299 - "odd"');
  });

  it('is validated after: what it breaks is a 422', async () => {
    const fixture = await withPlugin({
      mutate: ({ object }) => ({ ...object, metadata: { ...object.metadata, labels: { 'not valid!': '' } } }),
    });
    const answer = await writes(fixture)['POST']?.();
    expect([answer?.status, answer?.body.message]).toEqual([422, expect.stringContaining('metadata.labels')]);
  });
});

describe('a plugin that refuses', () => {
  it('keeps every way to write from the store, dry runs too', async () => {
    let isOpen = true;
    const fixture = await withPlugin({
      validate: ({ resource, object }) => {
        if (!isOpen) throw forbidden(resource, object.metadata.name ?? '', 'no');
      },
    });
    await writes(fixture)['POST']?.();
    isOpen = false;
    const before = await fixture.revision();
    for (const [name, write] of Object.entries(writes(fixture))) {
      const { status, body } = await write();
      expect([name, status, body.message]).toEqual([name, 403, 'configmaps "a" is forbidden: no']);
    }
    const dry = await fixture.call('POST', `${MAPS}?dryRun=All`, { body: { metadata: { name: 'b' } } });
    expect(dry.status).toBe(403);
    expect(await fixture.revision()).toBe(before);
  });

  it('leaves nothing reserved and nothing charged', async () => {
    const outcomes: string[] = [];
    const charge = vi.fn(async () => undefined);
    const fixture = await withPlugin(
      {
        validate: ({ resource }) => {
          throw forbidden(resource, 'a', 'no');
        },
      },
      {
        allocate: async ({ object, type }) =>
          type === 'core/v1.ConfigMap'
            ? { object, claims: [], release: ({ type: how }) => outcomes.push(how), publish: async () => undefined }
            : undefined,
        charge,
      },
    );
    charge.mockClear();
    await writes(fixture)['POST']?.();
    expect([outcomes, charge.mock.calls.length]).toEqual([['nothing'], 0]);
  });
});

describe('a plugin that waits three seconds', () => {
  it('holds up its own write only, and the write goes on with what is stored then', async () => {
    let fixture: VerbFixture | undefined;
    const waiting = await withPlugin({
      mutate: async ({ object }) => {
        if (object.metadata.annotations?.['slow'] !== undefined)
          await new Promise<void>((resolve) => void fixture?.clock.after(3000, resolve));
        return object;
      },
    });
    fixture = waiting;
    const { clock } = waiting;
    await writes(waiting)['POST']?.();
    const slow = waiting.call('PATCH', `${MAPS}/a`, {
      type: MERGE,
      body: { metadata: { annotations: { slow: '' } }, data: { slow: '1' } },
    });
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0));
    await waiting.ok('PATCH', `${MAPS}/a`, { type: MERGE, body: { data: { quick: '1' } } });
    expect((await waiting.ok('GET', `${MAPS}/a`)).data).toEqual({ sent: '1', quick: '1' });
    await clock.advance(3000);
    // The compare was lost: the patch is applied to the newest state, and waits once more.
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0));
    await clock.advance(3000);
    expect((await slow).body.data).toEqual({ sent: '1', quick: '1', slow: '1' });
  });

  it('is not waited for by a client that has left', async () => {
    const controller = new AbortController();
    const fixture = await withPlugin({
      validate: ({ throwIfAborted }) => {
        controller.abort(new Error('left'));
        throwIfAborted();
      },
    });
    const work = fixture.call('POST', MAPS, { body: { metadata: { name: 'a' } }, signal: controller.signal });
    await expect(work).rejects.toThrow('left');
    expect((await fixture.call('GET', `${MAPS}/a`)).status).toBe(404);
  });
});

describe('a plugin that throws', () => {
  it.each(['mutate', 'validate'] as const)('in %s fails its own write, and nothing is stored', async (stage) => {
    let isBroken = true;
    const fixture = await withPlugin({
      [stage]: (request: { readonly object: unknown }) => (isBroken ? broken() : request.object),
    });
    await expect(writes(fixture)['POST']?.()).rejects.toThrow('broken');
    expect((await fixture.call('GET', `${MAPS}/a`)).status).toBe(404);
    isBroken = false;
    expect((await writes(fixture)['POST']?.())?.status).toBe(201);
  });
});

describe('a retry', () => {
  it('with another generated name is charged once', async () => {
    const charged: unknown[] = [];
    const fixture = await withPlugin(
      {},
      {
        charge: async (_request, before) => {
          charged.push(before === undefined ? 'first' : 'again');
        },
      },
    );
    charged.length = 0;
    const { engine } = fixture.context.store;
    const commit = engine.commit.bind(engine);
    let isTaken = false;
    vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
      if (isTaken) return commit(change, options);
      isTaken = true;
      const revision = await engine.revision();
      return { committed: false, reason: 'KEY_EXISTS', current: undefined, revision };
    });
    const answer = await fixture.call('POST', MAPS, { body: { metadata: { generateName: 'g-' } } });
    // The second call knows what the first was charged for.
    expect([answer.status, charged]).toEqual([201, ['first', 'again']]);
  });

  it('after a taken address chooses another one, with one reservation at a time', async () => {
    const reserved: string[] = [];
    const lost: string[] = [];
    let addresses = 0;
    const claimOf = (address: string): HeldClaim => ({
      key: `/claims/${address}`,
      // Another server has the first; the second is taken between this read and the commit.
      take: async (owner) =>
        address === '10.0.0.1' ? undefined : { key: `/claims/${address}`, value: Buffer.from(owner), expected: 0n },
      lost: () => lost.push(address),
    });
    const fixture = await withPlugin(
      {},
      {
        allocate: async ({ object, type }) => {
          if (type !== 'core/v1.ConfigMap') return undefined;
          addresses += 1;
          const address = `10.0.0.${addresses}`;
          return {
            object: { ...object, data: { address } },
            claims: [claimOf(address)],
            release: ({ type: how }) => reserved.push(`${address} ${how}`),
            publish: async () => undefined,
          };
        },
      },
    );
    const { engine } = fixture.context.store;
    const commit = engine.commit.bind(engine);
    const claimed: unknown[] = [];
    vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
      // The memory engine has no `alongside`: this stands for one that has.
      const { alongside, ...own } = { alongside: undefined, ...change };
      claimed.push(alongside?.map(({ key, value }) => [key, Buffer.from(value).toString()]));
      if (claimed.length > 1) return commit(own, options);
      const blockedBy = { type: 'alongside', key: '/claims/10.0.0.2', revision: 1n } as const;
      return { committed: false, reason: 'BLOCKED', current: undefined, revision: 1n, blockedBy };
    });
    const answer = await fixture.call('POST', MAPS, { body: { metadata: { name: 'a' } } });
    expect(answer.body.data.address).toBe('10.0.0.3');
    expect(reserved).toEqual(['10.0.0.1 nothing', '10.0.0.2 nothing', '10.0.0.3 committed']);
    expect(lost).toEqual(['10.0.0.1', '10.0.0.2']);
    const owner = '/registry/configmaps/x/a';
    expect(claimed).toEqual([[['/claims/10.0.0.2', owner]], [['/claims/10.0.0.3', owner]]]);
  });

  it('that removes an object tells admission, with what was removed and when', async () => {
    const removed = vi.fn(async () => undefined);
    const fixture = await withPlugin({}, { removed });
    await writes(fixture)['POST']?.();
    const { entry } = await fixture.context.store.engine.get('/registry/configmaps/x/a');
    await fixture.ok('DELETE', `${MAPS}/a?dryRun=All`);
    expect(removed).not.toHaveBeenCalled();
    await fixture.ok('DELETE', `${MAPS}/a`);
    const revision = await fixture.context.store.engine.revision();
    expect(removed.mock.calls).toEqual([[fixture.context.kinds.find('', 'v1', 'configmaps'), entry, revision]]);
  });
});
