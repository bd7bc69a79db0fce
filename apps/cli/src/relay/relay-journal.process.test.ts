import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
import { expect, it, vi } from 'vitest';
import { ListwatchProcess } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const WAIT = { timeout: 30_000, interval: 50 };

interface ShownState {
  readonly kinds: readonly {
    readonly state: string;
    readonly resourceVersion: string;
    readonly feed: { readonly loads: number };
    readonly journal: { readonly state: string };
  }[];
}

async function stateOf(health: string): Promise<ShownState> {
  return JSON.parse(await (await fetch(`${health}/debug/relay`)).text());
}

it('a relay that is killed goes on with its journal: its clients miss nothing, and nobody lists', async () => {
  const folder = newFolder();
  await using server = await startTestServer({ listen: true });
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig, { mode: 0o600 });
  writeFileSync(join(folder, 'key'), Buffer.alloc(32, 3).toString('base64'), { mode: 0o600 });
  const start = async (port: string): Promise<{ relay: ListwatchProcess; url: string; health: string }> => {
    const flags = ['relay', '--kubeconfig', 'kubeconfig', '--kinds', 'configmaps', '--port', port];
    const more = ['--health-address', '127.0.0.1:0', '--journal', 'kept', '--journal-key-file', 'key'];
    const relay = new ListwatchProcess([...flags, ...more], folder);
    const [, url = ''] = /relay on (https:\S+)/u.exec(await relay.line('relay on')) ?? [];
    const [, health = ''] = /metrics on (http:[^\s"]+)/u.exec(await relay.line('metrics on')) ?? [];
    await relay.line('ready: 1 of 1 kinds');
    return { relay, url, health };
  };

  const first = await start('0');
  const caData = readFileSync(join(folder, '.listwatch-relay', 'pki', 'ca.crt'), 'utf8');
  const [, token = ''] = /token: "?([^"\s]+)/u.exec(server.kubeconfig) ?? [];
  await using client = await connect({ server: first.url, caData, token });
  const write = async (name: string): Promise<string> => {
    const made = await server.cluster.create(configMaps, { metadata: { name, namespace: 'default' } });
    return made.metadata.resourceVersion ?? '';
  };
  const from = await write('m-0');
  const seen: string[] = [];
  const failures: string[] = [];
  let after = from;
  const stop = new AbortController();
  /** Resumes where it was whenever it ends, and never lists. */
  const watching = (async () => {
    while (!stop.signal.aborted) {
      try {
        const query = { namespace: 'default', resourceVersion: after, signal: stop.signal, allowWatchBookmarks: true };
        for await (const event of client.watch(configMaps, query)) {
          if (event.type === 'ERROR') failures.push(JSON.stringify(event.object));
          else if (event.type !== 'BOOKMARK') seen.push(event.object.metadata.name ?? '');
          if (event.type !== 'ERROR') after = event.object.metadata.resourceVersion ?? after;
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  const wanted: string[] = [];
  for (let i = 1; i <= 30; i += 1) {
    await write(`m-${i}`);
    wanted.push(`m-${i}`);
  }
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(5), WAIT);
  first.relay.kill('SIGKILL');
  await first.relay.ended;
  for (let i = 31; i <= 40; i += 1) {
    await write(`m-${i}`);
    wanted.push(`m-${i}`);
  }
  const second = await start(new URL(first.url).port);
  await using _ = second.relay;
  const last = await write('m-41');
  wanted.push('m-41');
  await vi.waitFor(() => expect(seen).toContain('m-41'), WAIT);
  expect([seen, failures]).toEqual([wanted, []]);
  await vi.waitFor(async () => {
    expect((await stateOf(second.health)).kinds).toEqual([
      expect.objectContaining({ state: 'live', resourceVersion: last, feed: expect.objectContaining({ loads: 0 }) }),
    ]);
  }, WAIT);
  expect(await (await fetch(`${second.health}/metrics`)).text()).toMatch(
    /^listwatch_relay_kind_loads_total\{kind="configmaps"\} 0$/mu,
  );
  stop.abort();
  await watching;
}, 120_000);
