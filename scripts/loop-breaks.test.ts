import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../packages/server/src', import.meta.url));

/**
 * The files of the server that wait for another turn of the event loop by themselves, and why. Work on one large object goes to the worker
 * thread; work on many things is a plain loop with a `LoopPace`, whose breaks count for the request: see docs/design/0033. By name, for
 * files move.
 */
const BY_THEMSELVES: Readonly<Record<string, string>> = {
  'channel.ts': 'frees what a turn has sent, once',
  'flow-sink.ts': 'a part of the gate',
  'flush-pacer.ts': 'chooses between turns and timers',
  'http1-reply.ts': 'a head that has nothing to go with',
  'http2-server-session.ts': 'Node ends what it reads first',
  'log-backend.ts': 'joins what one turn writes',
  'loop-gate.ts': 'the gate itself',
  'object-index.ts': 'grows beside the writes, whose changes it must see: it goes on from a callback',
  'open-requests.ts': 'the requests of others, some in each turn',
  'parser-feed.ts': 'one pipelined request in a turn',
  'pause.ts': 'the breaks themselves',
  'pipelined-turns.ts': 'one pipelined request in a turn',
  'read-as-stream.ts': 'an example in a comment',
  'watch-cursor.ts': 'a watch that rests',
};

/** Turns, and work that is cut into steps by a generator: the last of those went on 2026-11-19. */
const BREAK = /\bsetImmediate\b|\bGenerator<undefined\b/u;

it('long loops of the server take their breaks in one way: only these files make their own', () => {
  const found = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|test-d|fixture)\.ts$/u.test(name))
    .filter((name) => BREAK.test(readFileSync(join(SOURCE, name), 'utf8')))
    .map((name) => basename(name));
  expect(found.filter((name) => !Object.hasOwn(BY_THEMSELVES, name))).toEqual([]);
  expect(Object.keys(BY_THEMSELVES).filter((name) => !found.includes(name))).toEqual([]);
});
