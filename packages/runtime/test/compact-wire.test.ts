import { createCluster, createLoopbackTransport, isTransportError, type TransportResponse } from '@listwatch/client';
import { eventually } from '@listwatch/conformance/storage';
import { describe, expect, it } from 'vitest';
import { type Informer, informer } from '../src/informer/informer.ts';
import { type Thing, thing, things } from './model-object.ts';

/** The bodies of the lists and of the watches to come; a watch stays open behind its body. */
interface Script {
  readonly lists: string[];
  readonly watches: string[];
}

async function* bytesOf(text: string, isOpen: boolean, signal?: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
  const bytes = Buffer.from(text);
  // In pieces that cut objects, names and characters.
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  if (isOpen) await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

/** An informer on a server that sends these bytes. */
function start({ lists, watches }: Script, compact: boolean): Informer<Thing> {
  const transport = createLoopbackTransport({
    handle: async ({ path, signal }): Promise<TransportResponse> => {
      const isWatch = path.includes('watch=true');
      const text = (isWatch ? watches : lists).shift() ?? '';
      return { status: 200, headers: {}, body: bytesOf(text, isWatch, signal) };
    },
  });
  const cluster = createCluster(transport, { server: 'loopback:' });
  return informer(cluster, things, {
    compact,
    initialStrategy: 'listWatch',
    random: () => 0,
    backoff: { initialMs: 1, maxMs: 1 },
  });
}

/** Why the informer was degraded, as it goes on. */
function causesOf(of: Informer<Thing>): readonly unknown[] {
  const causes: unknown[] = [];
  const follow = async (): Promise<void> => {
    for await (const { error } of of.statuses()) causes.push(error?.cause);
  };
  void follow();
  return causes;
}

function list(...items: readonly string[]): string {
  return `{"kind":"ThingList","apiVersion":"example.org/v1","metadata":{"resourceVersion":"9"},"items":[${items.join(',')}]}`;
}

function event(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

function item(name: string, rest = ''): string {
  return `{"metadata":{"name":"${name}","namespace":"a","uid":"uid-${name}","resourceVersion":"5"}${rest}}`;
}

const BROKEN: readonly (readonly [string, Buffer | string])[] = [
  ['a number that is none', item('x', ',"spec":{"size":01}')],
  ['a control character in a string', item('x', ',"text":"a\u0001b"')],
  ['an escape that is none', item('x', String.raw`,"text":"\x"`)],
  ['a comma too many', item('x', ',"list":[1,]')],
  ['no name', '{"metadata":{"namespace":"a"}}'],
];

describe.each([
  ['plain', false],
  ['compact', true],
])('a %s store on the wire', (_, compact) => {
  it.each(BROKEN)('notices %s in the list, and takes the next one', async (__, broken) => {
    const good = list(item('x'), item('y', ',"text":"é日本語"'));
    await using web = start({ lists: [list(item('y'), String(broken)), good], watches: [] }, compact);
    const causes = causesOf(web);
    await web.synced;
    expect(causes.some((cause) => isTransportError(cause, 'PROTOCOL'))).toBe(true);
    expect([...web.store.keys()]).toEqual(['a/x', 'a/y']);
    expect(web.store.get('a/y')).toEqual({ ...JSON.parse(item('y', ',"text":"é日本語"')), ...thingType });
  });

  it.each(BROKEN)('notices %s in an event, and takes the events before it', async (__, broken) => {
    const changed = item('x', ',"spec":{"size":2}').replace('"5"', '"10"');
    const watches = [event('MODIFIED', changed) + event('ADDED', String(broken))];
    await using web = start({ lists: [list(item('x'))], watches }, compact);
    const causes = causesOf(web);
    const sizes: unknown[] = [];
    web.on({
      add: ({ object }) => sizes.push(object.spec?.size),
      update: ({ object }) => sizes.push(object.spec?.size),
    });
    await web.synced;
    await eventually('the change before it is there', () => sizes.includes(2));
    expect(sizes.slice(0, 2)).toEqual([undefined, 2]);
    await eventually('it was noticed', () => causes.some((cause) => isTransportError(cause, 'PROTOCOL')));
  });
});

const { kind, apiVersion } = thing('a/x', 1);
const thingType = { kind, apiVersion };
