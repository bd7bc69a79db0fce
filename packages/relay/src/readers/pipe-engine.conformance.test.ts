import { randomBytes } from 'node:crypto';
import { type AbortOptions, backgroundClock } from '@listwatch/api';
import { describeStorage } from '@listwatch/conformance/storage';
import {
  type Change,
  type CommitResult,
  createMemoryEngine,
  type GetResult,
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Revision,
  type StorageCapabilities,
  type StorageEngine,
  type StorageWatch,
  type WatchOptions,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { PipeEngine } from './pipe-engine.ts';
import { PipeServer } from './pipe-server.ts';
import { listenPrivately, type PrivateSocket } from './private-socket.ts';

/** Reads and watches go over the pipe; the primary, which is in this process, commits and compacts. */
class ReadThroughPipe extends ForwardingEngine {
  override readonly capabilities: StorageCapabilities;
  readonly #pipe: PipeEngine;
  readonly #end: () => void;

  constructor(primary: StorageEngine, pipe: PipeEngine, end: () => void) {
    super(primary);
    this.#pipe = pipe;
    this.capabilities = pipe.capabilities;
    this.#end = end;
  }

  /** Lets the sockets of this process have their turn: a primary is another process. */
  override async commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    const result = await super.commit(change, options);
    await new Promise(setImmediate);
    return result;
  }

  override revision(options?: AbortOptions): Promise<Revision> {
    return this.#pipe.revision(options);
  }

  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.#pipe.get(key, options);
  }

  override range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    return this.#pipe.range(prefix, options);
  }

  override watch(prefix: string, options: WatchOptions): StorageWatch {
    return this.#pipe.watch(prefix, options);
  }

  override async close(): Promise<void> {
    await this.#pipe.close();
    await super.close();
    this.#end();
  }
}

async function open(): Promise<StorageEngine> {
  const primary = createMemoryEngine();
  const secret = randomBytes(32);
  const server = new PipeServer({ engine: primary, clock: backgroundClock, secret, appendLines: async () => 0 });
  const socket: PrivateSocket = await listenPrivately((connection) => server.take(connection));
  const pipe = new PipeEngine({ path: socket.path, secret, capabilities: primary.capabilities });
  return new ReadThroughPipe(primary, pipe, () => {
    server.close();
    socket.close();
  });
}

describeStorage({
  name: 'pipe to a primary',
  create: open,
  capabilities: {
    durable: false,
    shared: true,
    progressRequests: true,
    expiryRevisions: 'own',
    historyBytes: true,
    alongside: false,
  },
  runs: 25,
});
