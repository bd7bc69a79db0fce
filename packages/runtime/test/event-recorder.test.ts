import { resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TransportError } from '@listwatch/client';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  controller,
  type EventCluster,
  type EventRecorder,
  eventRecorder,
  type KubeEvent,
  kubeEvents,
  type Logger,
  type ObjectReference,
  objectReference,
  silentLogger,
} from '../src/index.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const coreEvents = resource({ version: 'v1', plural: 'events', kind: 'Event', namespaced: true });
const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const MAP: ObjectReference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: 'u1' };
const SIX_MINUTES = 6 * 60_000;

let env: TestEnvironment<FakeClock>;
let recorder: EventRecorder;
let lines: string[];
let logger: Logger;

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
  lines = [];
  logger = { ...silentLogger, warn: (_, message) => lines.push(message), error: (_, message) => lines.push(message) };
  recorder = eventRecorder(env.cluster, { controller: 'web', instance: 'web-1', logger });
});

afterEach(async () => {
  env.faults.restoreAll();
  await recorder.close();
  await env.close();
});

async function stored(): Promise<readonly KubeEvent[]> {
  return (await env.cluster.list(kubeEvents)).items;
}

const written = (count: number): Promise<unknown> =>
  eventually(`${count} writes`, () => recorder.metrics.written === count && recorder.metrics.pending === 0);

function throwing(): never {
  throw new Error('no disk');
}

describe('an event recorder', () => {
  it('creates an event of events.k8s.io, which the core group shows, too', async () => {
    const related = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' };
    recorder.about(MAP).warning('NoPort', 'it has no port', { action: 'MakeService', related });
    await written(1);
    const [event] = await stored();
    expect(event).toMatchObject({
      metadata: { namespace: 'default', name: expect.stringMatching(/^a\.[0-9a-f]{13,16}$/) },
      type: 'Warning',
      reason: 'NoPort',
      action: 'MakeService',
      note: 'it has no port',
      regarding: MAP,
      related,
      reportingController: 'web',
      reportingInstance: 'web-1',
      eventTime: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(event?.series).toBeUndefined();
    expect((await env.cluster.list(coreEvents)).items).toMatchObject([
      { message: 'it has no port', involvedObject: MAP },
    ]);
  });

  it('the second occurrence makes a series of two, later ones are counted and written when it has been quiet', async () => {
    const events = recorder.about(MAP);
    events.normal('Synced', 'one');
    await written(1);
    events.normal('Synced', 'two');
    await written(2);
    expect(await stored()).toMatchObject([{ note: 'one', series: { count: 2 } }]);
    for (let more = 0; more < 10; more++) events.normal('Synced', 'more');
    await env.clock.advance(60_000);
    expect(recorder.metrics).toMatchObject({ written: 2, pending: 0, remembered: 1 });
    await env.clock.advance(2 * SIX_MINUTES);
    await written(3);
    expect(await stored()).toMatchObject([{ series: { count: 12 } }]);
    expect(recorder.metrics.remembered).toBe(0);
    events.normal('Synced', 'later');
    await written(4);
    expect((await stored()).map(({ series }) => series?.count)).toEqual([12, undefined]);
  });

  it('a series that goes on is written every 30 minutes', async () => {
    const events = recorder.about(MAP);
    events.normal('Synced', 'one');
    await written(1);
    events.normal('Synced', 'two');
    await written(2);
    for (let minute = 0; minute < 42; minute++) {
      await env.clock.advance(60_000);
      events.normal('Synced', 'more');
    }
    await written(3);
    const [event] = await stored();
    expect(event?.series?.count).toBeGreaterThan(30);
  });

  it('occurrences before the first write are one event, and those during it one more write', async () => {
    const events = recorder.about(MAP);
    env.faults.delay(1000);
    for (let time = 0; time < 3; time++) events.normal('Before', 'one');
    events.normal('During', 'one');
    await env.clock.advance(500);
    for (let time = 0; time < 3; time++) events.normal('During', 'more');
    await env.clock.advance(2000);
    await written(3);
    env.faults.restoreAll();
    const counts = (await stored()).map(({ reason, series }) => `${reason} ${series?.count}`);
    expect(counts.toSorted()).toEqual(['Before 3', 'During 4']);
  });

  it('what differs in type, reason, action, object or related object is another event; a new version is not', async () => {
    const events = recorder.about(MAP);
    events.normal('A', 'x');
    events.warning('A', 'x');
    events.normal('B', 'x');
    events.normal('A', 'x', { action: 'Other' });
    events.normal('A', 'x', { related: { name: 'r' } });
    recorder.about({ ...MAP, uid: 'u2' }).normal('A', 'x');
    await written(6);
    recorder.about({ ...MAP, resourceVersion: '99' }).normal('A', 'x');
    await written(7);
    expect(await stored()).toHaveLength(6);
  });

  it('a series whose event the server has forgotten is created anew', async () => {
    const events = recorder.about(MAP);
    events.normal('Synced', 'one');
    await written(1);
    await env.cluster.deleteCollection(kubeEvents, { namespace: 'default' });
    events.normal('Synced', 'two');
    await written(2);
    expect(await stored()).toMatchObject([{ note: 'one', series: { count: 2 } }]);
  });

  it('events of objects without a namespace go to default, and names that make no name get another', async () => {
    recorder.about({ apiVersion: 'v1', kind: 'Node', name: 'n' }).normal('A', 'x');
    recorder.about({ kind: 'ClusterRole', name: 'system:node' }).normal('A', 'x');
    recorder.about({ ...MAP, name: 'x'.repeat(250) }).normal('A', 'x');
    await written(3);
    const all = await stored();
    expect(all.map(({ metadata }) => metadata.namespace)).toEqual(['default', 'default', 'default']);
    expect(all.filter(({ metadata }) => /^[0-9a-f-]{36}$/.test(metadata.name))).toHaveLength(2);
  });

  it('recorders that write of one object in one millisecond do not take the names of each other', async () => {
    await using other = eventRecorder(env.cluster, { controller: 'other' });
    for (let index = 0; index < 5; index++) {
      recorder.about(MAP).normal(`A${index}`, 'x');
      other.about(MAP).normal(`A${index}`, 'x');
    }
    await eventually('all', () => recorder.metrics.written === 5 && other.metrics.written === 5);
    expect(await stored()).toHaveLength(10);
  });

  it('a logger that throws costs no event and no reconcile', async () => {
    const log = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    await using other = eventRecorder(env.cluster, { controller: 'other', logger: log });
    other.about({ ...MAP, namespace: 'missing' }).normal('A', 'x');
    await eventually('the refusal', () => other.metrics.refused === 1);
    other.about(MAP).normal('A', 'x');
    await eventually('the next', () => other.metrics.written === 1);
  });

  it('long texts are cut to what Kubernetes takes, wherever the characters end', async () => {
    await using other = eventRecorder(env.cluster, { controller: 'my controller!', instance: 'ä'.repeat(200) });
    for (const letter of ['x', 'ä', '€', '😀']) {
      other
        .about({ ...MAP, uid: letter })
        .normal(letter.repeat(500), letter.repeat(50_000), { action: letter.repeat(500) });
    }
    other.about(MAP).normal('', '', { action: '' });
    await eventually('five', () => other.metrics.written === 5);
    const all = await stored();
    for (const { note = '', reason = '', action = '', reportingInstance = '' } of all) {
      expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
      for (const word of [reason, action, reportingInstance]) {
        expect(Buffer.byteLength(word)).toBeLessThanOrEqual(128);
        expect(Buffer.byteLength(word)).toBeGreaterThan(0);
      }
      expect(note).not.toContain('\u{fffd}');
    }
    expect(all.map(({ reportingController }) => reportingController)).toEqual(Array.from(all, () => 'my-controller'));
  });

  it('100 000 distinct events leave 1 000 waiting; the rest is dropped, counted, and reported once', async () => {
    const gone = env.faults.halfOpen();
    for (let index = 0; index < 100_000; index++) recorder.about({ ...MAP, uid: String(index) }).normal('A', 'x');
    expect(recorder.metrics).toMatchObject({ pending: 1000, remembered: 1000, dropped: 99_000 });
    expect(lines).toEqual(['too many events wait to be written; further ones are dropped']);
    gone.restore();
    await eventually('all', async () => {
      await env.clock.advance(15_000);
      return recorder.metrics.pending === 0;
    });
    expect(recorder.metrics).toMatchObject({ written: 1000, failed: 0 });
  });

  it('remembers at most 4 096 events, the newest', async () => {
    // Thousands of writes to a server would take long and show nothing more.
    let creates = 0;
    const sink: EventCluster = {
      clock: env.clock,
      create: (_, object) => {
        creates++;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads the answer
        return Promise.resolve(object as never);
      },
      patch: () => expect.unreachable(),
    };
    await using many = eventRecorder(sink, { controller: 'web' });
    for (let round = 0; round < 10; round++) {
      for (let index = 0; index < 1000; index++) many.about({ ...MAP, uid: `${round} ${index}` }).normal('A', 'x');
      await eventually('the round', () => many.metrics.pending === 0);
    }
    expect(many.metrics).toMatchObject({ remembered: 4096, dropped: 0 });
    many.about({ ...MAP, uid: '0 0' }).normal('A', 'x');
    await eventually('the first again', () => creates === 10_001);
  });

  it('tries 12 times, 10 s and up to a quarter more apart, and then gives up', async () => {
    const fault = env.faults.tooManyRequests(1_000_000);
    recorder.about(MAP).normal('A', 'x');
    await env.clock.advance(0);
    const hits = fault.hits;
    await env.clock.advance(9999);
    expect(fault.hits).toBe(hits);
    await env.clock.advance(2501);
    expect(fault.hits).toBeGreaterThan(hits);
    await env.clock.advance(140_000);
    expect(recorder.metrics).toMatchObject({ pending: 0, failed: 1, written: 0 });
    expect(lines).toEqual(['the event could not be written']);
  });

  it('an event that comes through late is written once', async () => {
    const fault = env.faults.tooManyRequests(1_000_000);
    recorder.about(MAP).normal('A', 'x');
    await env.clock.advance(30_000);
    fault.restore();
    await env.clock.advance(15_000);
    await written(1);
    expect(await stored()).toHaveLength(1);
  });

  it('an event that was given up and had been written all the same gets its series', async () => {
    let isLossy = true;
    const lossy: EventCluster = {
      clock: env.clock,
      create: async (...args) => {
        if (!isLossy) return env.cluster.create(...args);
        await env.cluster.create(...args).catch(() => undefined);
        throw new TransportError('CLOSED', 'the answer was lost');
      },
      patch: (...args) => env.cluster.patch(...args),
    };
    await using other = eventRecorder(lossy, { controller: 'web' });
    other.about(MAP).normal('A', 'x');
    await eventually('the end of the tries', async () => {
      await env.clock.advance(13_000);
      return other.metrics.failed === 1;
    });
    isLossy = false;
    other.about(MAP).normal('A', 'x');
    await eventually('the second', () => other.metrics.written === 1);
    expect(await stored()).toMatchObject([{ series: { count: 2 } }]);
  });

  it('a refused event is not tried again, and its repetitions do not become a flood of refusals', async () => {
    const events = recorder.about({ ...MAP, namespace: 'missing' });
    for (let time = 0; time < 50; time++) {
      events.normal('A', 'x');
      await env.clock.advance(100);
    }
    expect(recorder.metrics).toMatchObject({ pending: 0, refused: 2, written: 0 });
    expect(lines).toEqual(['the event was refused', 'the event was refused']);
  });

  it('close writes what waits and the counts of series, and drops what comes after', async () => {
    const events = recorder.about(MAP);
    events.normal('Synced', 'one');
    await written(1);
    events.normal('Synced', 'two');
    await written(2);
    events.normal('Synced', 'three');
    recorder.about({ ...MAP, uid: 'u2' }).normal('Other', 'x');
    await recorder.close();
    events.normal('Synced', 'four');
    expect(recorder.metrics).toMatchObject({ written: 4, dropped: 1, pending: 0, remembered: 0 });
    const counts = (await stored()).map(({ series }) => series?.count ?? 1);
    expect(counts.toSorted((a, b) => a - b)).toEqual([1, 3]);
  });

  it('close during a retry tries once more and ends at once', async () => {
    const timers = env.clock.pending;
    env.faults.tooManyRequests(1_000_000);
    await using impatient = eventRecorder(env.cluster, { controller: 'web' });
    impatient.about(MAP).normal('A', 'x');
    await eventually('the wait', async () => {
      await env.clock.advance(1000);
      return env.clock.pending > timers;
    });
    const before = env.clock.now();
    const closed = impatient.close();
    await eventually('the end', async () => {
      await env.clock.advance(100);
      return impatient.metrics.failed === 1;
    });
    await closed;
    expect(env.clock.now() - before).toBeLessThanOrEqual(2100);
    expect(env.clock.pending).toBe(timers);
  });

  it('close gives a silent server 2 s, and ends', async () => {
    env.faults.halfOpen();
    for (let index = 0; index < 10; index++) recorder.about({ ...MAP, uid: String(index) }).normal('A', 'x');
    let isClosed = false;
    const closed = recorder.close().then(() => {
      isClosed = true;
      return isClosed;
    });
    await env.clock.advance(1999);
    expect(isClosed).toBe(false);
    await env.clock.advance(1);
    await closed;
    expect(recorder.metrics).toMatchObject({ failed: 10, pending: 0 });
    expect(lines).toEqual(['some events could not be written before the end']);
  });

  it('nothing that a program passes makes it throw', async () => {
    const events = recorder.about(MAP);
    // @ts-expect-error -- no text
    events.normal(undefined, new Error('boom'), null);
    // @ts-expect-error -- no object
    recorder.about(undefined).warning('A', 'x');
    // @ts-expect-error -- no text
    events.normal(Symbol('s'), { toString: () => expect.unreachable() });
    await written(1);
    expect(await stored()).toMatchObject([{ reason: 'Unknown', note: 'Error: boom' }]);
    expect(recorder.metrics.dropped).toBe(2);
    // @ts-expect-error -- no name
    expect(() => eventRecorder(env.cluster, {})).toThrow('controller must name who reports');
  });

  it('a controller records about the object that it reconciles, and writes what waits before its end', async () => {
    const [made] = await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const stop = new AbortController();
    const seen: string[] = [];
    const running = controller(env.cluster, {
      name: 'maps',
      for: configMaps,
      reportingInstance: 'pod-1',
      reconcile: ({ object, key }, ctx) => {
        seen.push(key.name);
        if (object === undefined) ctx.recorder.warning('Gone', 'it is gone');
        else
          ctx.recorder.normal('Seen', `saw ${key.toString()}`, {
            related: objectReference(nodes, { metadata: { name: 'n' } }),
          });
      },
    });
    const ended = running.run({ signal: stop.signal });
    await eventually('the reconcile', () => seen.length === 1);
    await env.cluster.delete(configMaps, { namespace: 'default', name: 'a' });
    await eventually('the delete', () => seen.length === 2);
    stop.abort();
    await ended;
    const uid = made?.metadata.uid;
    expect((await stored()).toSorted((a, b) => String(b.reason).localeCompare(String(a.reason)))).toMatchObject([
      {
        reason: 'Seen',
        note: 'saw default/a',
        regarding: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid },
        related: { kind: 'Node', name: 'n' },
        reportingController: 'maps',
        reportingInstance: 'pod-1',
      },
      { reason: 'Gone', type: 'Warning', regarding: { kind: 'ConfigMap', namespace: 'default', name: 'a' } },
    ]);
    expect(running.metrics.events).toMatchObject({ written: 2, pending: 0 });
  });
});
