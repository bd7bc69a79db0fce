import { getEventListeners } from 'node:events';
import {
  expired,
  failure,
  forbidden,
  gone,
  internalError,
  invalid,
  type ListMeta,
  resourceVersion,
  serviceUnavailable,
  tooLargeResourceVersion,
  tooManyRequests,
} from '@listwatch/api';
import { TransportError } from '@listwatch/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Thing } from '../../test/model-object.ts';
import { thing, things } from '../../test/model-object.ts';
import { ModelServer } from '../../test/model-server.ts';
import { readAll, type WatcherReader } from '../../test/watcher-reader.ts';
import { watcher } from './watcher.ts';
import type { WatcherOptions } from './watcher-options.ts';

let server: ModelServer;
let stop: AbortController;

beforeEach(() => {
  server = new ModelServer();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await server.clock.advance(0);
  expect(server.watches.size, 'watches that were left open').toBe(0);
  expect(server.clock.pending, 'timers that were left behind').toBe(0);
});

/** A watcher without jitter, read in the background. */
function read(options: WatcherOptions<Thing> = {}): WatcherReader {
  return readAll(watcher(server, things, { random: () => 0, signal: stop.signal, ...options }));
}

/** A server's answer to a list: pages without items. */
function pagesOf(...pages: readonly ListMeta[]): ModelServer['pages'] {
  return async function* answer() {
    for (const [index, metadata] of pages.entries()) {
      yield { number: index + 1, metadata, items: async () => [], async *[Symbol.asyncIterator]() {} };
    }
  };
}

function bad(options: object): () => unknown {
  return () => watcher(server, things, options);
}

const pass = (ms = 0): Promise<void> => server.clock.advance(ms);
const listWatch = { initialStrategy: 'listWatch' } as const;

describe('streaming the initial state', () => {
  it('is one request: the objects, the end, and then the changes on the same stream', async () => {
    server.put('a/x');
    server.put('a/y');
    const { news } = read();
    await pass();
    expect(news()).toEqual(['init', '+a/x@11', '+a/y@12', 'done@12']);
    server.put('a/x', 1);
    server.delete('a/y');
    await pass();
    expect(news()).toEqual(['a/x@13', '-a/y@14']);
    expect(server.seen()).toEqual(['stream:0']);
    expect(server.requests[0]?.query).toMatchObject({
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      timeoutSeconds: 300,
    });
  });

  it('an empty collection is a beginning and an end', async () => {
    const { news } = read();
    await pass();
    expect(news()).toEqual(['init', 'done@10']);
  });

  it("asks for the most recent state with '' when that is wanted", async () => {
    read({ listSemantic: 'mostRecent' });
    await pass();
    expect(server.seen()).toEqual(['stream:']);
  });

  it('takes its version from the marker, never from the initial objects', async () => {
    server.put('a/x');
    server.tick(88);
    read();
    await pass(1_000);
    server.endWatches();
    await pass();
    expect(server.seen()).toEqual(['stream:0', 'watch:99']);
  });

  it('changes and deletes before the marker are respected', async () => {
    server.put('a/x');
    server.put('a/y');
    server.dropMarkers = true;
    const { news } = read();
    await pass();
    server.put('a/x', 1);
    server.delete('a/y');
    server.broadcast({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '14', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    await pass();
    expect(news()).toEqual(['init', '+a/x@11', '+a/y@12', '+a/x@13', '-a/y@14', 'done@14']);
  });

  it('a marker whose value is not "true" is a plain bookmark', async () => {
    server.markerValue = 'false';
    server.put('a/x');
    const { news } = read();
    await pass(9_999);
    expect(news()).toEqual(['init', '+a/x@11']);
  });

  it('is sent again only for a new start: after the marker a closed stream becomes a plain watch', async () => {
    read();
    await pass(1_000);
    server.endWatches();
    await pass(1_000);
    server.endWatches();
    await pass();
    expect(server.seen()).toEqual(['stream:0', 'watch:10', 'watch:10']);
    expect(server.requests[1]?.query.sendInitialEvents).toBeUndefined();
  });

  it('429 twice: the same request three times, and no list', async () => {
    server.failNext('stream', tooManyRequests('wait', 1), 2);
    const { news } = read();
    await pass(10_000);
    expect(news()).toEqual(['!INITIAL_LIST_FAILED', '!INITIAL_LIST_FAILED', 'init', 'done@10']);
    expect(server.seen()).toEqual(['stream:0', 'stream:0', 'stream:0']);
  });

  it('closed before the marker: a new stream, from the beginning', async () => {
    server.put('a/x');
    server.dropMarkers = true;
    const { news } = read();
    await pass();
    server.dropMarkers = false;
    server.endWatches();
    await pass(1_000);
    expect(news()).toEqual(['init', '+a/x@11', '!NO_END_MARKER', 'init', '+a/x@11', 'done@11']);
  });

  it('422: pages, at once', async () => {
    server.streaming = 'refused';
    server.put('a/x');
    const { news } = read();
    await pass();
    expect(news()).toEqual(['!INITIAL_LIST_FAILED', 'init', '+a/x@11', 'done@11']);
    expect(server.seen()).toEqual(['stream:0', 'list:0/500', 'watch:11']);
  });

  it('any other refusal: pages, this time', async () => {
    server.failNext('stream', forbidden(things, '', 'no'));
    read();
    await pass();
    expect(server.seen()).toEqual(['stream:0', 'list:0/500', 'watch:10']);
  });

  it('an old server that sends everything and no marker: pages, after ten quiet seconds', async () => {
    server.streaming = 'ignored';
    server.put('a/x');
    const { news } = read();
    await pass(9_999);
    expect(news()).toEqual(['init', '+a/x@11']);
    await pass(1);
    expect(news()).toEqual(['!NO_END_MARKER', 'init', '+a/x@11', 'done@11']);
    expect(server.watches.size).toBe(1);
  });

  it('a stream that has not been answered yet is not quiet: the network is', async () => {
    server.answers = false;
    const { news } = read();
    await pass(60_000);
    expect(news()).toEqual([]);
  });

  it('a stream that still brings objects is not quiet', async () => {
    server.dropMarkers = true;
    const { news } = read();
    for (let second = 0; second < 30; second += 5) {
      await pass(5_000);
      server.put(`a/${second}`);
    }
    await pass();
    expect(news()).not.toContain('!NO_END_MARKER');
  });

  it('a server that was found not to stream is not asked again, for an hour', async () => {
    server.streaming = 'refused';
    read();
    await pass();
    const second = read();
    await pass();
    expect(second.news()).toEqual(['init', 'done@10']);
    expect(server.seen('stream')).toEqual(['stream:0']);
    await pass(3_600_000);
    read();
    await pass();
    expect(server.seen('stream')).toEqual(['stream:0', 'stream:0']);
  });

  it('a version that the server has not reached, or that is gone: asked again at once with ""', async () => {
    const { news } = read();
    await pass();
    server.failNext('stream', tooLargeResourceVersion(10n, 9n));
    server.broadcast({ type: 'ERROR', object: gone('gone').status });
    await pass(1_000);
    expect(news()).toEqual(['init', 'done@10', '!WATCH_ERROR', '!INITIAL_LIST_FAILED', 'init', 'done@10']);
    expect(server.seen()).toEqual(['stream:0', 'stream:10', 'stream:']);
  });
});

describe('listing in pages', () => {
  it("begins at '0' in pages of 500, watches from the list's version, and tells each change", async () => {
    server.put('a/x');
    const { news } = read(listWatch);
    await pass();
    server.put('b/x');
    await pass();
    expect(news()).toEqual(['init', '+a/x@11', 'done@11', 'b/x@12']);
    expect(server.seen()).toEqual(['list:0/500', 'watch:11']);
  });

  it('follows the pages to the last, and misses nothing that happens between them', async () => {
    server.cached = false;
    for (const name of ['1', '2', '3']) server.put(`a/${name}`);
    server.betweenPages = () => {
      server.put('a/1', 5);
      server.betweenPages = undefined;
    };
    const { news } = read({ ...listWatch, pageSize: 1 });
    await pass();
    expect(news()).toEqual(['init', '+a/1@11', '+a/2@12', '+a/3@13', 'done@13', 'a/1@14']);
    expect(server.seen()).toEqual(['list:0/1', 'page:0/1', 'page:0/1', 'watch:13']);
  });

  it('never goes back in time: a later list is not older than what was seen, and in one piece', async () => {
    const { news } = read(listWatch);
    await pass();
    server.put('a/x');
    server.compact();
    server.broadcast({ type: 'ERROR', object: expired('too old').status });
    await pass(800);
    expect(server.seen()).toEqual(['list:0/500', 'watch:10', 'list:11', 'watch:11']);
    expect(server.requests[2]?.query.resourceVersionMatch).toBe('NotOlderThan');
    expect(news()).toEqual(['init', 'done@10', 'a/x@11', '!WATCH_ERROR', 'init', '+a/x@11', 'done@11']);
  });

  it('a page size that was asked for is used for later lists too', async () => {
    read({ ...listWatch, pageSize: 4 });
    await pass();
    server.broadcast({ type: 'ERROR', object: expired('too old').status });
    await pass(800);
    expect(server.seen('list')).toEqual(['list:0/4', 'list:10/4']);
  });

  it('a server without a cache, which pages at 0, is paged later too', async () => {
    server.cached = false;
    for (let n = 0; n < 501; n += 1) server.put(`a/${n}`);
    read(listWatch);
    await pass();
    server.broadcast({ type: 'ERROR', object: expired('too old').status });
    await pass(800);
    expect(server.seen('list')).toEqual(['list:0/500', 'list:511/500']);
  });

  it('410 for the version: the most recent at once ("0", "10", "")', async () => {
    read(listWatch);
    await pass();
    server.failNext('list', expired('compacted'));
    server.broadcast({ type: 'ERROR', object: expired('too old').status });
    await pass(800);
    expect(server.seen('list')).toEqual(['list:0/500', 'list:10', 'list:/500']);
  });

  it('410 on a later page: the whole list at the same version, once', async () => {
    server.cached = false;
    for (let n = 0; n < 3; n += 1) server.put(`a/${n}`);
    server.betweenPages = () => {
      server.tick();
      server.compact();
      server.betweenPages = undefined;
    };
    const { news } = read({ ...listWatch, pageSize: 2, listSemantic: 'mostRecent' });
    await pass();
    expect(server.seen()).toEqual(['list:/2', 'page:/2', 'list:', 'watch:14']);
    expect(news()).toEqual([
      'init',
      '+a/0@11',
      '+a/1@12',
      '!INITIAL_LIST_FAILED',
      'init',
      '+a/0@11',
      '+a/1@12',
      '+a/2@13',
      'done@14',
    ]);
  });

  for (const [format, error] of [
    ['with its cause', tooLargeResourceVersion(99n, 10n)],
    [
      'with only the cause message of old servers',
      failure({
        code: 504,
        reason: 'Timeout',
        message: 'Timeout',
        details: { causes: [{ message: 'Too large resource version' }] },
      }),
    ],
    [
      'with only a message',
      failure({ code: 504, reason: 'Timeout', message: 'Timeout: Too large resource version: 99, current: 10' }),
    ],
  ] as const) {
    it(`a version that is too large, ${format}: the most recent at once`, async () => {
      read(listWatch);
      await pass();
      server.failNext('list', error);
      server.broadcast({ type: 'ERROR', object: expired('too old').status });
      await pass(800);
      expect(server.seen('list')).toEqual(['list:0/500', 'list:10', 'list:/500']);
    });
  }

  it('a list that fails is tried again after growing pauses, and each failure is told', async () => {
    server.failNext('list', serviceUnavailable('down'), 3);
    const { events } = read(listWatch);
    await pass(800 + 1_600 + 3_200);
    const times = server.requests
      .filter(({ verb }) => verb === 'list')
      .map(({ at }) => at - (server.requests[0]?.at ?? 0));
    expect(times).toEqual([0, 800, 2_400, 5_600]);
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(3);
  });

  it('a list without a version is told and tried again', async () => {
    server.pages = pagesOf({});
    const { news } = read(listWatch);
    await pass();
    expect(news()).toEqual(['init', '!NO_RESOURCE_VERSION']);
  });

  it('a first page without a version is fine when a later one has it', async () => {
    server.pages = pagesOf({ continue: 'x' }, { resourceVersion: '10' });
    const { news } = read(listWatch);
    await pass();
    expect(news()).toEqual(['init', 'done@10']);
  });
});

describe('versions of pages', () => {
  it('of several pages with several versions the first counts: a watch from it misses nothing', async () => {
    server.pages = pagesOf({ resourceVersion: '7', continue: 'x' }, { resourceVersion: '9' });
    const { news } = read(listWatch);
    await pass();
    expect(news()).toEqual(['init', 'done@7']);
  });
});

describe('watching', () => {
  it('a watch that ends in order is opened again at once, from the last version', async () => {
    const { news } = read();
    await pass(2_000);
    server.put('a/x');
    await pass();
    server.endWatches();
    await pass();
    expect(server.seen()).toEqual(['stream:0', 'watch:11']);
    expect(news()).toEqual(['init', 'done@10', 'a/x@11']);
  });

  it('a bookmark moves the version from which a watch resumes', async () => {
    read();
    server.tick(70);
    await pass();
    server.bookmark();
    await pass();
    server.endWatches();
    await pass();
    expect(server.seen()).toEqual(['stream:0', 'watch:80']);
  });

  it('very short watches back off, and are told', async () => {
    const { news } = read(listWatch);
    await pass();
    server.endWatches();
    await pass();
    expect(news()).toEqual(['init', 'done@10', '!WATCH_FAILED']);
    expect(server.seen('watch')).toHaveLength(1);
    await pass(800);
    expect(server.seen('watch')).toHaveLength(2);
  });

  it('a server that ends every watch at once is never asked in a busy loop', async () => {
    read(listWatch);
    for (let second = 0; second < 600; second += 1) {
      await pass(1_000);
      server.endWatches();
    }
    const before = server.requests.length;
    server.fault = () => new TransportError('CLOSED', 'cut');
    await pass(600_000);
    expect(server.requests.length - before).toBeLessThan(40);
  });

  it('410 at the opening of a watch, and 410 in its stream, both lead to a list', async () => {
    for (const goneInStream of [false, true]) {
      server.goneInStream = goneInStream;
      const { news } = read(listWatch);
      await pass();
      server.cutWatches();
      server.tick();
      server.compact();
      await pass(10_000);
      expect(news().filter((word) => word === 'init')).toHaveLength(2);
    }
  });

  it('the store behind is not touched when a list after a 410 fails: no init before a page has come', async () => {
    const { news } = read(listWatch);
    await pass();
    server.failNext('list', serviceUnavailable('down'), 5);
    server.broadcast({ type: 'ERROR', object: expired('too old').status });
    await pass(3_000);
    expect(news()).toEqual(['init', 'done@10', '!WATCH_ERROR', '!INITIAL_LIST_FAILED', '!INITIAL_LIST_FAILED']);
  });

  it('429 at the opening and in the stream: a pause each, and no list', async () => {
    read(listWatch);
    await pass(1_000);
    server.failNext('watch', tooManyRequests('busy'), 2);
    server.broadcast({ type: 'ERROR', object: tooManyRequests('busy').status });
    await pass(10_000);
    expect(server.seen()).toEqual(['list:0/500', 'watch:10', 'watch:10', 'watch:10', 'watch:10']);
  });

  it('Retry-After is waited for', async () => {
    read(listWatch);
    await pass(1_000);
    server.broadcast({ type: 'ERROR', object: tooManyRequests('busy', 20).status });
    await pass(19_999);
    expect(server.seen('watch')).toHaveLength(1);
    await pass(1);
    expect(server.seen('watch')).toHaveLength(2);
  });

  it('no connection: pauses that grow and then stay, and no list', async () => {
    read(listWatch);
    await pass(1_000);
    server.fault = () => new TransportError('CONNECT', 'refused');
    server.cutWatches();
    await pass(300_000);
    expect(server.seen('list')).toHaveLength(1);
    const times = server.requests.filter(({ verb }) => verb === 'check').map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.slice(0, 8)).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('a 500 at the opening is waited out; only the third in a row leads to a list', async () => {
    read(listWatch);
    await pass(1_000);
    server.failNext('watch', internalError('proxy'), 3);
    server.endWatches();
    await pass(20_000);
    expect(server.seen()).toEqual([
      'list:0/500',
      'watch:10',
      'watch:10',
      'watch:10',
      'watch:10',
      'list:10',
      'watch:10',
    ]);
  });

  it('an ERROR event that is not understood leads to a list: the server could not show an object any more', async () => {
    server.put('a/x');
    const { news } = read();
    await pass();
    server.delete('a/x');
    server.broadcast({ type: 'ERROR', object: internalError('object cannot be decoded').status });
    await pass(800);
    expect(news().slice(-3)).toEqual(['!WATCH_ERROR', 'init', 'done@12']);
  });

  it('a damaged event is asked for again from the last good version', async () => {
    server.put('a/x');
    const { news } = read();
    await pass();
    for (const watch of server.watches) watch.silent = true;
    server.delete('a/x');
    server.cutWatches(new TransportError('PROTOCOL', 'no event'));
    await pass(800);
    expect(news()).toEqual(['init', '+a/x@11', 'done@11', '!WATCH_FAILED', '-a/x@12']);
    expect(server.seen()).toEqual(['stream:0', 'watch:11']);
  });

  it('an event that is damaged each time leads to a list after the third watch', async () => {
    server.put('a/x');
    const { news } = read();
    await pass();
    server.failNext('watch', new TransportError('PROTOCOL', 'no event'), 2);
    server.cutWatches(new TransportError('PROTOCOL', 'no event'));
    await pass(800 + 1_600 + 3_200);
    expect(news().slice(-3)).toEqual(['init', '+a/x@11', 'done@11']);
  });

  it('a cut connection resumes at once from the last version', async () => {
    const { news } = read();
    await pass();
    server.put('a/x');
    await pass();
    server.cutWatches();
    server.put('a/y');
    await pass();
    expect(news()).toEqual(['init', 'done@10', 'a/x@11', '!WATCH_FAILED', 'a/y@12']);
  });

  it('a silent connection is told and replaced', async () => {
    const { news } = read();
    await pass();
    server.bookmark();
    await pass();
    server.silenceWatches();
    server.put('a/x');
    await pass(90_000);
    expect(news()).toEqual(['init', 'done@10', '!WATCH_FAILED', 'a/x@11']);
  });

  it('an event before the last version leads to a list of the most recent state, a bookmark to a check', async () => {
    server.tick(500);
    const { news } = read();
    await pass(2_000);
    server.bookmark(4);
    await pass(2_000);
    expect(news()).toEqual(['init', 'done@510', '!WATCH_FAILED']);
    server.broadcast({ type: 'ADDED', object: thing('a/x', 509) });
    await pass(2_000);
    expect(news()).toEqual(['!WATCH_FAILED', 'init', 'done@510']);
    expect(server.seen()).toEqual(['stream:0', 'watch:510', 'stream:']);
  });

  it('a delete with the version that the object had before does not take the position back', async () => {
    server.put('a/x');
    server.tick(5);
    const { news } = read();
    await pass(2_000);
    server.broadcast({ type: 'DELETED', object: thing('a/x', 11) });
    for (const watch of server.watches) watch.silent = true;
    server.delete('a/x');
    server.cutWatches();
    await pass(2_000);
    expect(news()).toEqual(['init', '+a/x@11', 'done@16', '-a/x@11', '!WATCH_FAILED', '-a/x@17']);
    expect(server.seen()).toEqual(['stream:0', 'watch:16']);
  });

  it('asks each watch for a random time between the minimum and twice that', async () => {
    const randoms = [0, 0.5, 0.999];
    read({ ...listWatch, timeoutSeconds: 100, random: () => randoms.shift() ?? 0 });
    await pass();
    for (let watches = 0; watches < 2; watches += 1) {
      await pass(2_000);
      server.endWatches();
      await pass();
    }
    const asked = server.requests.filter(({ verb }) => verb === 'watch').map(({ query }) => query.timeoutSeconds);
    expect(asked).toEqual([100, 150, 199]);
  });

  it('selectors, namespace and projection go with every request', async () => {
    const selection = {
      labelSelector: 'app=web',
      fieldSelector: 'spec.x=1',
      namespace: 'a',
      projection: 'metadata',
    } as const;
    server.failNext('stream', forbidden(things, '', 'no'));
    read(selection);
    await pass();
    expect(server.requests).toHaveLength(3);
    for (const { query } of server.requests) expect(query).toMatchObject(selection);
  });

  it('the limits of liveness go with every watch', async () => {
    read({ heartbeatMs: 70_000, deadlineMarginMs: 9_000 });
    await pass();
    expect(server.requests[0]?.query).toMatchObject({ heartbeatMs: 70_000, deadlineMarginMs: 9_000 });
  });

  it('starts from a version that it is given, without a list', async () => {
    server.put('a/x');
    server.put('a/y');
    const { news } = read({ resourceVersion: resourceVersion('11') });
    await pass();
    expect(news()).toEqual(['a/y@12']);
    expect(server.seen()).toEqual(['watch:11']);
  });
});

/** Two objects, of which the second was written last, and a watch that has told of both. */
async function started(): Promise<WatcherReader> {
  server.put('a/old');
  const reader = read();
  await pass(2_000);
  server.tick(10);
  server.put('a/x');
  await pass();
  expect(reader.news()).toEqual(['init', '+a/old@11', 'done@11', 'a/x@22']);
  return reader;
}

describe('a server that was restored or replaced', () => {
  it('and is empty and behind is listed at once', async () => {
    const { news } = await started();
    server.replace();
    await pass(2_000);
    expect(news()).toEqual(['!WATCH_FAILED', 'init', 'done@3']);
    expect(server.seen()).toEqual(['stream:0', 'stream:']);
  });

  it('and has already given more versions than were seen is listed too', async () => {
    const { news } = await started();
    server.replace();
    server.put('a/x');
    server.tick(100);
    await pass(2_000);
    expect(news().slice(-3)).toEqual(['init', '+a/x@4', 'done@104']);
  });

  it('to before the last change, with other changes since, is listed', async () => {
    const { news } = await started();
    server.restore(15);
    for (let n = 0; n < 20; n += 1) server.put(`b/${n}`);
    await pass(2_000);
    expect(news().slice(0, 4)).toEqual(['!WATCH_FAILED', '!WATCH_FAILED', 'init', '+a/old@11']);
  });

  it('and has written the same object since is listed: in the version that was seen it is another', async () => {
    const { news } = await started();
    server.restore(15);
    server.tick(20);
    server.put('a/x');
    await pass(2_000);
    expect(news().slice(-4)).toEqual(['init', '+a/old@11', '+a/x@36', 'done@36']);
    expect(server.seen('check')).toEqual(['check:/1', 'check:22/1']);
  });

  it('while nothing was there, and has objects, is listed', async () => {
    server.tick(90);
    const { news } = read();
    await pass(2_000);
    server.replace(50);
    server.put('a/x');
    server.tick(100);
    await pass(2_000);
    expect(news()).toEqual(['init', 'done@100', '!WATCH_FAILED', 'init', '+a/x@51', 'done@151']);
  });

  it('and forgot the version in which the object was seen is listed: nobody can tell any more', async () => {
    const { news } = await started();
    server.cutWatches();
    server.put('a/x');
    server.compact();
    await pass(2_000);
    expect(news()).toEqual(['!WATCH_FAILED', '!WATCH_START_FAILED', 'init', '+a/old@11', '+a/x@23', 'done@23']);
  });
});

describe('the same server', () => {
  it.each([
    ['has not changed', () => {}, []],
    ['has changed the object that was seen last', () => server.put('a/x'), ['a/x@12']],
    ['has deleted the object that was seen last', () => server.delete('a/x'), ['-a/x@12']],
    ['has made it anew', () => [server.delete('a/x'), server.put('a/x')], ['-a/x@12', 'a/x@13']],
  ])('that %s is watched from the last version, without a list', async (_, change, told) => {
    server.put('a/x');
    const { news } = read();
    await pass(2_000);
    server.cutWatches();
    change();
    await pass(1_000);
    expect(news()).toEqual(['init', '+a/x@11', 'done@11', '!WATCH_FAILED', ...told]);
    expect(server.seen()).toEqual(['stream:0', 'watch:11']);
  });

  it('that has the last object deleted is watched without a list', async () => {
    server.put('a/x');
    const { news } = read();
    await pass(2_000);
    server.delete('a/x');
    await pass();
    server.cutWatches();
    await pass(1_000);
    expect(news().slice(-2)).toEqual(['-a/x@12', '!WATCH_FAILED']);
    expect(server.seen()).toEqual(['stream:0', 'watch:12']);
  });

  it('that ends a watch at its timeout is not checked', async () => {
    read();
    await pass(301_000);
    expect(server.seen('check', 'watch')).toEqual(['watch:10']);
  });

  it('that does not let us list is streamed again after the third attempt', async () => {
    const { news } = read();
    await pass(2_000);
    server.failNext('check', forbidden(things, '', 'you may watch only'), Infinity);
    server.cutWatches();
    await pass(10_000);
    expect(news().slice(-3)).toEqual(['!WATCH_START_FAILED', 'init', 'done@10']);
    expect(server.seen()).toEqual(['stream:0', 'stream:10']);
  });
});

describe('a cluster that was closed', () => {
  it('ends the watcher with the reason, without another request', async () => {
    const events = watcher(server, things, { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    const requests = server.requests.length;
    const closed = new TransportError('CLIENT_CLOSED', 'the client was closed');
    const rest = (async () => {
      for (let next = await events.next(); next.done !== true; next = await events.next());
    })();
    server.cutWatches(closed);
    await expect(rest).rejects.toBe(closed);
    expect(server.requests).toHaveLength(requests);
  });
});

describe('ending', () => {
  it('the signal ends it with its own reason and closes the watch', async () => {
    const { ended } = read();
    await pass();
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await ended).toBe(reason);
    expect(server.watches.size).toBe(0);
  });

  it('a signal that was aborted before: nothing is asked', async () => {
    stop.abort(new Error('before'));
    expect(await read().ended).toEqual(new Error('before'));
    expect(server.requests).toEqual([]);
  });

  it('during a pause the signal ends it at once', async () => {
    server.fault = () => new TransportError('CONNECT', 'refused');
    const { ended } = read();
    await pass();
    stop.abort('now');
    expect(await ended).toBe('now');
  });

  it('break closes the watch', async () => {
    for await (const event of watcher(server, things)) if (event.type === 'initDone') break;
    expect(server.watches.size).toBe(0);
  });

  it('return() while an event is being waited for ends the wait', async () => {
    const iterator = watcher(server, things)[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('return() before the first event asks nothing', async () => {
    await watcher(server, things)[Symbol.asyncIterator]().return?.();
    expect(server.requests).toEqual([]);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { signal } = new AbortController();
    server.failNext('stream', new TransportError('CLOSED', 'cut'), 2);
    const reading = (async () => {
      for await (const event of watcher(server, things, { signal })) if (event.type === 'initDone') break;
    })();
    await pass(10_000);
    await reading;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('has one reader', async () => {
    const twice = watcher(server, things);
    twice[Symbol.asyncIterator]();
    expect(() => twice[Symbol.asyncIterator]()).toThrow(TypeError);
  });

  it('a reader that is slow holds the server back: one event is read ahead', async () => {
    let made = 0;
    const many = Array.from({ length: 100 }, (_, n) => thing(`a/${n}`, 11));
    server.pages = async function* pages<T>() {
      yield {
        number: 1,
        metadata: { resourceVersion: '11' },
        items: async () => [],
        async *[Symbol.asyncIterator]() {
          for (const item of many) {
            made += 1;
            const copy: T = JSON.parse(JSON.stringify(item));
            yield copy;
          }
        },
      };
    } as ModelServer['pages'];
    const iterator = watcher(server, things, listWatch)[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    await pass();
    expect(made).toBeLessThan(4);
    await iterator.return?.();
  });
});

describe('options', () => {
  it('that are unknown, and selectors that are bad, throw at the call', () => {
    expect(bad({ labelSelectors: 'a=b' })).toThrow('unknown option "labelSelectors" of watcher');
    expect(bad({ labelSelector: 'a=(' })).toThrow('labelSelector "a=("');
    expect(bad({ fieldSelector: 'a' })).toThrow('fieldSelector "a"');
  });

  it('bad ones are refused before anything happens, with the value', () => {
    expect(bad({ pageSize: 0 })).toThrow(RangeError);
    expect(bad({ timeoutSeconds: -5 })).toThrow('-5');
    expect(bad({ listSemantic: 'old' })).toThrow('"old"');
    expect(bad({ resourceVersion: '0' })).toThrow('"0"');
    expect(bad({ bookmarks: false, initialStrategy: 'streamingList' })).toThrow('bookmarks');
    expect(bad({ backoff: { initialMs: 10, maxMs: 5 } })).toThrow('5');
  });

  it('without bookmarks there is no streaming, for its end is one', async () => {
    read({ bookmarks: false });
    await pass();
    expect(server.seen()).toEqual(['list:0/500', 'watch:10']);
    expect(server.requests[1]?.query.allowWatchBookmarks).toBeUndefined();
  });

  it('the pauses can be set', async () => {
    server.failNext('list', serviceUnavailable('down'), 3);
    read({ ...listWatch, backoff: { initialMs: 10, maxMs: 15 } });
    await pass(40);
    expect(server.seen('list')).toHaveLength(4);
  });

  it('pauses are jittered between once and twice their length', async () => {
    server.failNext('list', serviceUnavailable('down'));
    read({ ...listWatch, random: () => 0.5 });
    await pass(1_199);
    expect(server.seen('list')).toHaveLength(1);
    await pass(1);
    expect(server.seen('list')).toHaveLength(2);
  });
});

describe('progress', () => {
  it('says what it is doing, since when, and how far it has come', async () => {
    server.put('a/x');
    server.failNext('list', invalid(things, '', []));
    const watching = watcher(server, things, { ...listWatch, random: () => 0, signal: stop.signal });
    expect(watching.progress.phase).toBe('idle');
    readAll(watching);
    await pass();
    expect(watching.progress).toMatchObject({ phase: 'waiting', failures: 1, retryAt: server.clock.now() + 800 });
    expect(watching.progress.lastError?.code).toBe('INITIAL_LIST_FAILED');
    await pass(800);
    expect(watching.progress).toMatchObject({
      phase: 'watching',
      page: 1,
      items: 1,
      watches: 1,
      resourceVersion: '11',
    });
    await pass(60_000);
    server.bookmark();
    await pass();
    expect(watching.progress).toMatchObject({ failures: 0, lastBookmarkAt: server.clock.now() });
  });
});
