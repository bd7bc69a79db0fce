import { EVERY_FIELD, EVERY_LABEL } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { frame, watchForm } from '../answer/watch-form.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { storageCaches } from './cache-set.ts';
import { TestSink } from './test-sink.fixture.ts';
import { UnencodableSink } from './unencodable-sink.ts';

describe('a sink for events that have no form', () => {
  it('ends at the first event without sending it, and leaves no watcher behind', async () => {
    await using engine = createMemoryEngine();
    const clock = new FakeClock();
    const caches = storageCaches({ engine, definitions: [configMap], clock });
    await caches.feed.start();
    const kind = caches.kind(configMap);
    const { cache, hub } = kind;
    const form = watchForm(cache, { mediaType: 'application/json', as: 'metadata', metaVersion: 'v1', pretty: false });
    const scope = { namespace: '', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD };
    const sink = new TestSink();
    const deadline = clock.now() + 60_000;
    hub.watch(
      {
        scope,
        form,
        initial: undefined,
        after: hub.generation.revision,
        bookmarks: false,
        markInitialEnd: false,
        deadline,
      },
      new UnencodableSink(sink),
    );
    expect([sink.ended, kind.counts.watchers]).toEqual([false, 1]);
    const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name: 'a', namespace: 'x' } });
    await caches.feed.reached(
      requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/a`, value }), 'a'),
    );
    await expect.poll(() => sink.ended).toBe(true);
    expect(sink.frames).toEqual([]);
    expect(kind.counts).toMatchObject({ watchers: 0, channels: 0 });
    await caches.feed.stop();
  });

  it('lets an ERROR event pass', () => {
    const sink = new TestSink();
    new UnencodableSink(sink).write([frame('ERROR', Buffer.from('{}'))]);
    expect([sink.ended, sink.frames.length]).toEqual([false, 1]);
  });
});
