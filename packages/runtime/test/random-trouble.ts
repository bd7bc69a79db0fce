/** Everything that can happen to a server and to what stands before it, at random. */

import {
  expired,
  forbidden,
  gone,
  internalError,
  serviceUnavailable,
  tooLargeResourceVersion,
  tooManyRequests,
} from '@listwatch/api';
import { TransportError } from '@listwatch/client';
import { KEYS } from './model-keys.ts';
import { things } from './model-object.ts';
import type { ModelServer } from './model-server.ts';
import type { SeededRandom } from './seeded-random.ts';

/** One thing of many. */
export function randomTrouble(server: ModelServer, random: SeededRandom): void {
  const key = random.pick(...KEYS);
  switch (random.below(18)) {
    case 0:
    case 1:
    case 2:
    case 3:
      server.put(key, random.below(100));
      break;
    case 4:
      server.delete(key);
      break;
    case 5:
      server.delete(key);
      server.put(key, random.below(100));
      break;
    case 6:
      server.tick(random.below(5));
      server.bookmark();
      break;
    case 7:
      server.compact(server.revision - random.below(3));
      break;
    case 8:
      server.cutWatches(randomBreak(random));
      break;
    case 9:
      server.endWatches();
      break;
    case 10:
      server.silenceWatches();
      break;
    case 11:
      server.broadcast({ type: 'ERROR', object: randomStatus(random).status });
      break;
    case 12: {
      const rate = random.pick(0.2, 0.6, 1);
      server.fault = () => (random.chance(rate) ? randomFailure(random) : undefined);
      break;
    }
    case 13:
      server.fault = undefined;
      break;
    case 14:
      server.dropMarkers = random.chance(0.5);
      server.streaming = random.pick('done', 'done', 'ignored', 'refused');
      break;
    case 15:
      server.goneInStream = random.chance(0.5);
      server.cached = random.chance(0.5);
      server.betweenPages = () => {
        if (random.chance(0.5)) server.put(random.pick(...KEYS), random.below(100));
        if (random.chance(0.2)) server.compact();
      };
      break;
    case 16:
      // As a server that keeps its versions apart by time, or one that begins from 1 again.
      server.replace(random.pick(3, server.revision + 1_000));
      break;
    case 17:
      restore(server, random);
      break;
  }
}

/** To before the newest object of each namespace: what guarantees.md promises to notice, however far the server is then. */
function restore(server: ModelServer, random: SeededRandom): void {
  const newest = new Map<string | undefined, number>();
  for (const { metadata } of server.state.values()) {
    const version = Number(metadata.resourceVersion);
    newest.set(metadata.namespace, Math.max(version, newest.get(metadata.namespace) ?? 0));
  }
  const before = Math.min(server.revision, ...newest.values()) - 1 - random.below(5);
  if (before < server.firstRevision) return;
  server.restore(before);
  server.tick(random.pick(0, random.below(60)));
}

/** All well again. */
export function endTrouble(server: ModelServer): void {
  server.fault = undefined;
  server.betweenPages = undefined;
  server.dropMarkers = false;
}

function randomBreak(random: SeededRandom): TransportError {
  return new TransportError(random.pick('CLOSED', 'IDLE_TIMEOUT', 'PROTOCOL'), 'trouble');
}

function randomStatus(random: SeededRandom): ReturnType<typeof expired> {
  // Made only when picked: an error takes its stack with it.
  return random.pick(
    () => expired('too old resource version'),
    () => gone('gone'),
    () => internalError('trouble'),
    () => tooManyRequests('busy', random.below(4)),
    () => tooLargeResourceVersion(99n, 1n),
  )();
}

function randomFailure(random: SeededRandom): unknown {
  return random.pick<() => unknown>(
    () => randomStatus(random),
    () => randomBreak(random),
    () => serviceUnavailable('trouble'),
    () => forbidden(things, '', 'not today'),
    () => new TransportError('CONNECT', 'refused'),
    () => new TransportError('HEADERS_TIMEOUT', 'no answer'),
  )();
}
