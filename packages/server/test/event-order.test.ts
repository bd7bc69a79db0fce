import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { openTemporaryStore } from './temporary-store.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const WRITES = 50;

/** One connection, as client-go has it: frames of the watch and of answers arrive in the order in which they left. */
class OneConnection implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #authorization: string;

  constructor({ url, token, ca }: TestServer) {
    this.#session = connect(url, { ca });
    this.#authorization = `Bearer ${token}`;
  }

  ask(method: string, path: string, body?: string): ClientHttp2Stream {
    const headers = { ':method': method, ':path': path, authorization: this.#authorization };
    const stream = this.#session.request({ ...headers, 'content-type': 'application/json' });
    stream.end(body);
    return stream;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}

function configMap(name: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}

/** Creates objects one after the other; what arrived, in order. */
async function writeAndWatch(engine: StorageEngine): Promise<readonly string[]> {
  await using server = await startTestServer(engine);
  using connection = new OneConnection(server);
  const arrived: string[] = [];
  const watch = connection.ask('GET', `${PATH}?watch=1`);
  await once(watch, 'response');
  let text = '';
  watch.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) arrived.push(`event ${JSON.parse(line).object.metadata.name}`);
  });
  for (let i = 0; i < WRITES; i += 1) {
    const write = connection.ask('POST', PATH, configMap(`c${i}`));
    // Its end, not its headers: HTTP/2 sends headers before the data of all streams.
    await once(write.resume(), 'end');
    arrived.push(`answer c${i}`);
  }
  await expect.poll(() => arrived.length, { timeout: 20_000 }).toBe(WRITES * 2);
  return arrived;
}

const IN_ORDER = Array.from({ length: WRITES }, (_, i) => [`event c${i}`, `answer c${i}`]).flat();

describe('a client that writes and watches has the event before the answer', () => {
  it('on memory', async () => {
    expect(await writeAndWatch(createMemoryEngine())).toEqual(IN_ORDER);
  });

  it('on lmdb', async () => {
    await using store = await openTemporaryStore();
    expect(await writeAndWatch(store.engine)).toEqual(IN_ORDER);
  });
});
