import { describe, expect, it } from 'vitest';
import { type ConfigMap, configMaps } from '../../test/config-maps.ts';
import type { ObjectDecoder } from '../cluster.ts';
import { chosenDecoder, objectDecoder } from '../json/object-decoder.ts';
import { ObjectScanner } from '../json/object-scanner.ts';
import { ListDecoder } from '../list/list-decoder.ts';
import { watchDecoder } from './watch-decoder.ts';

/** Finds the end itself, as a cache does that keeps bytes. */
function locatingDecoder(): ObjectDecoder<ConfigMap> & { readonly calls: string[] } {
  const scanner = new ObjectScanner();
  const { one } = objectDecoder(configMaps, {});
  const calls: string[] = [];
  return {
    calls,
    one: (json) => {
      calls.push('one');
      return one(json);
    },
    next: (json, from) => {
      const end = scanner.scan(json, from);
      calls.push('next');
      return { object: one(json.subarray(from, end)), end };
    },
  };
}

const event = (type: string, name: string, version = '1'): string =>
  JSON.stringify({ type, object: { metadata: { name, resourceVersion: version } } });
const bookmark = event('BOOKMARK', 'mark', '9');
const spaced = '{ "type": "ADDED", "object": {"metadata":{"name":"spaced"}} }';
const behind = '{"type":"ADDED","object":{"metadata":{"name":"a"}},"more":1}';
const broken = '{"type":"ADDED","object":{"metadata":{"name":"a"}}';

describe('a decoder that finds the end of objects', () => {
  it.each([
    ['events', [event('ADDED', 'a'), event('MODIFIED', 'b'), event('DELETED', 'c')]],
    ['a bookmark between them', [event('ADDED', 'a'), bookmark, event('ADDED', 'b')]],
    ['an event with blanks', [event('ADDED', 'a'), spaced]],
  ])('decodes lines as the default decoder does: %s', (_, frames) => {
    const lines = Buffer.from(frames.join('\n'));
    const decoded = watchDecoder(configMaps, { decode: locatingDecoder() }).lines?.(lines);
    expect(decoded).toEqual(watchDecoder(configMaps, {}).lines?.(lines));
    expect(decoded?.events).toHaveLength(frames.length);
  });

  it('reads each object once', () => {
    const decode = locatingDecoder();
    watchDecoder(configMaps, { decode }).lines?.(Buffer.from(`${event('ADDED', 'a')}\n${event('DELETED', 'b')}`));
    expect(decode.calls).toEqual(['next', 'next']);
  });

  it.each([
    ['members behind the object', behind],
    ['a frame that is cut', broken],
    ['an object that is broken', event('ADDED', 'a').replace('"name"', 'name')],
    ['an object without a name', '{"type":"ADDED","object":{}}'],
  ])('leaves lines to the decoder of frames: %s', (_, line) => {
    const lines = Buffer.from(`${event('ADDED', 'a')}\n${line}`);
    expect(watchDecoder(configMaps, { decode: locatingDecoder() }).lines?.(lines)).toBeUndefined();
  });

  it('decodes a list run by run', () => {
    const decode = locatingDecoder();
    const decoder = new ListDecoder(chosenDecoder(configMaps, { decode }), 1_000_000);
    const items = Array.from({ length: 40 }, (_, i) => `{"metadata":{"name":"n-${i}"}}`);
    decoder.push(Buffer.from(`{"items":[${items.join(',')}],"metadata":{"resourceVersion":"5"}}`));
    const names: string[] = [];
    for (let taken = decoder.take(); taken.length > 0; taken = decoder.take())
      for (const { metadata } of taken) names.push(metadata.name);
    decoder.end();
    expect(names).toEqual(items.map((_, i) => `n-${i}`));
    expect(decode.calls.filter((call) => call === 'next').length).toBeGreaterThan(30);
  });
});
