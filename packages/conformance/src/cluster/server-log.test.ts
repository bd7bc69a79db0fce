import { describe, expect, it } from 'vitest';
import { ServerLog } from './server-log.ts';

describe('the log of a server', () => {
  it.each([
    'Unhandled rejection: Error: x',
    '12:00:00 error a request failed unexpectedly path=/api',
    'Uncaught exception',
    "TypeError: Cannot read properties of undefined (reading 'x')",
    '(node:1) MaxListenersExceededWarning: Possible EventTarget memory leak detected',
    '    at StorageFeed.run (file:///dist/index.js:10:20)',
  ])('raises an alarm at: %s', (line) => {
    const log = new ServerLog();
    log.take(`12:00:00 info  Ready at https://127.0.0.1:1.\n${line}\n`);
    expect(log.alarms).toEqual([line]);
  });

  it('raises none at what is said about an etcd that is gone', () => {
    const log = new ServerLog();
    log.take('12:00:00 error etcd at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED code=UNAVAILABLE\n');
    expect(log.alarms).toEqual([]);
  });

  it('puts lines together that come in pieces, also the last one', () => {
    const log = new ServerLog();
    for (const piece of ['one\ntw', 'o\nunhan', 'dled']) log.take(piece);
    expect(log.lines.map(({ text }) => text)).toEqual(['one', 'two']);
    log.end();
    expect(log.alarms).toEqual(['unhandled']);
  });
});
