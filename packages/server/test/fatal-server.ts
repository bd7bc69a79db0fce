/**
 * A server that kills its own process at a commit: `fatal-server.ts lmdb|etcd PLACE MOMENT COUNT`. It dies at the commit of
 * that many ConfigMaps: before it, while the store writes, or when it is stored and not answered. Started by `killed-servers.process.test.ts`.
 */

import type { Change, CommitResult } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { MAPS_FOLDER } from './moody-hook.fixture.ts';
import { startTestServer } from './test-server.ts';

const [storage = '', place = '', moment = '', count = ''] = process.argv.slice(2);

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

class FatalEngine extends ForwardingEngine {
  #left = Number(count);

  override async commit(change: Change, options?: Parameters<ForwardingEngine['commit']>[1]): Promise<CommitResult> {
    if (!change.key.startsWith(MAPS_FOLDER)) return super.commit(change, options);
    this.#left -= 1;
    const isLast = this.#left === 0;
    if (isLast && moment === 'before') die();
    const committing = super.commit(change, options);
    if (isLast && moment === 'during') setImmediate(die);
    const result = await committing;
    if (isLast) die();
    return result;
  }
}

const endpoints = [place];
const engine =
  storage === 'lmdb'
    ? await openLmdbEngine({ path: place })
    : createEtcdEngine({ endpoints, compaction: 'off', progressRequests: await answersProgressInOrder({ endpoints }) });
const server = await startTestServer(new FatalEngine(engine));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: server.url, token: server.token, ca: server.ca });
