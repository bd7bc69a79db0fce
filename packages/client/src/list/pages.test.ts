import { expect, test } from 'vitest';
import { type ConfigMap, configMaps } from '../../test/config-maps.ts';
import { ScriptedBody, ScriptedTransport } from '../../test/scripted-transport.ts';
import type { ListPage, ListQuery } from '../cluster.ts';
import { createCluster } from '../create-cluster.ts';

const item = (name: string): string => `{"metadata":{"name":"${name}"}}`;

function list(names: string, next = ''): string {
  const items = names.split('').map(item).join(',');
  return `{"kind":"ConfigMapList","apiVersion":"v1","items":[${items}],"metadata":{"resourceVersion":"9","continue":"${next}"}}`;
}

interface Listed {
  readonly pages: AsyncIterable<ListPage<ConfigMap>>;
  readonly paths: () => readonly string[];
}

function listing(query: ListQuery<ConfigMap>, ...bodies: readonly (ScriptedBody | string)[]): Listed {
  const transport = new ScriptedTransport(...bodies.map((body) => ({ body })));
  const pages = createCluster(transport, { server: 'https://test' }).pages(configMaps, query);
  return { pages, paths: () => transport.requests.map(({ path }) => path.replace('/api/v1/configmaps?', '')) };
}

test('pages follow their tokens; the version is for the first only, selectors and limit are for all', async () => {
  const query = { limit: 2, labelSelector: 'a=b', resourceVersion: '7', resourceVersionMatch: 'Exact' } as const;
  const { pages, paths } = listing(query, list('ab', 't1'), list('cd', 't2'), list('e'));
  const seen: string[] = [];
  for await (const page of pages) {
    for await (const { metadata, kind } of page) seen.push(`${page.number}: ${kind} ${metadata.name}`);
    expect(page.metadata.resourceVersion).toBe('9');
  }
  expect(seen).toEqual(['1: ConfigMap a', '1: ConfigMap b', '2: ConfigMap c', '2: ConfigMap d', '3: ConfigMap e']);
  expect(paths()).toEqual([
    'labelSelector=a%3Db&resourceVersion=7&resourceVersionMatch=Exact&limit=2',
    'labelSelector=a%3Db&limit=2&continue=t1',
    'labelSelector=a%3Db&limit=2&continue=t2',
  ]);
});

test('a page that is not read, or not to its end, is read over before the next is asked for', async () => {
  const first = new ScriptedBody(list('ab', 't1')).end();
  const { pages, paths } = listing({}, first, list('cd', 't2'), list('e'));
  const seen: string[] = [];
  for await (const page of pages) {
    if (page.number === 1) continue;
    for await (const { metadata } of page) {
      seen.push(metadata.name);
      break;
    }
  }
  expect(seen).toEqual(['c', 'e']);
  expect(paths()).toHaveLength(3);
  expect(first.isClosed).toBe(false);
});

test('items gathers what is left of a page', async () => {
  const { pages } = listing({}, list('abc'));
  for await (const page of pages) {
    for await (const { metadata } of page) {
      expect(metadata.name).toBe('a');
      break;
    }
    expect((await page.items()).map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
    expect(await page.items()).toEqual([]);
  }
});

test('an item is there once the next has begun', async () => {
  const body = new ScriptedBody(`{"items":[${item('a')},${item('b').slice(0, 16)}`);
  const { pages } = listing({}, body);
  for await (const page of pages) {
    const items = page[Symbol.asyncIterator]();
    expect(await items.next()).toMatchObject({ value: { metadata: { name: 'a' } } });
    expect(body.asked).toBe(1);
    body.write(`${item('b').slice(16)}]}`).end();
    expect(await items.next()).toMatchObject({ value: { metadata: { name: 'b' } } });
    expect(await items.next()).toMatchObject({ done: true });
  }
});

test('break closes the exchange', async () => {
  const body = new ScriptedBody(list('ab', 't1').slice(0, -3));
  const { pages, paths } = listing({}, body, list('c'));
  for await (const page of pages) {
    expect(page.number).toBe(1);
    break;
  }
  expect(body.isClosed).toBe(true);
  expect(paths()).toHaveLength(1);
});

test('a page that fails fails where it is read, and closes the exchange', async () => {
  const body = new ScriptedBody(`{"items":[${item('a')},{"b"}`);
  const { pages } = listing({}, body);
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const page of pages) for await (const { metadata } of page) seen.push(metadata.name);
  };
  await expect(read()).rejects.toMatchObject({ code: 'PROTOCOL' });
  expect(seen).toEqual(['a']);
  expect(body.isClosed).toBe(true);
});

test('a page that is cut is CLOSED, also when nobody wanted to read it', async () => {
  for (const isRead of [true, false]) {
    const { pages } = listing({}, new ScriptedBody(list('abc').slice(0, 80)).end());
    const read = async (): Promise<void> => {
      for await (const page of pages) if (isRead) await page.items();
    };
    await expect(read()).rejects.toMatchObject({ code: 'CLOSED' });
  }
});

test('a page that leads to itself is PROTOCOL, and not asked for again', async () => {
  const { pages, paths } = listing({}, list('a', 't'), list('b', 't'), list('b', 't'));
  const read = async (): Promise<void> => {
    for await (const page of pages) await page.items();
  };
  await expect(read()).rejects.toMatchObject({ code: 'PROTOCOL' });
  expect(paths()).toHaveLength(2);
});

test("two readers of a page are refused: they would lose each other's items", async () => {
  const body = new ScriptedBody();
  const { pages } = listing({}, body);
  for await (const page of pages) {
    const first = page.items();
    await expect(page.items()).rejects.toThrow(TypeError);
    body.write(list('ab')).end();
    expect(await first).toHaveLength(2);
  }
});

test('a decoder that is brought along gets the bytes of each item', async () => {
  const seen: string[] = [];
  const decode = (json: Uint8Array): ConfigMap => {
    seen.push(new TextDecoder().decode(json));
    return { metadata: { name: 'x' } };
  };
  const { pages } = listing({ decode }, list('ab'));
  for await (const page of pages)
    expect(await page.items()).toEqual([{ metadata: { name: 'x' } }, { metadata: { name: 'x' } }]);
  expect(seen).toEqual([item('a'), item('b')]);
});
