import { painter } from '@listwatch/api/internal';
import { createLog } from '@listwatch/runtime/log';
import { expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { logReady, logRelayError } from './relay-log.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): readonly object[] {
  const host = fakeHost();
  write(createLog({ format: 'json', output: host.stdout, paint: painter(false, host.env) }));
  return host.written.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('says which kinds pass and why, which are of a journal, and how many are answered', () => {
  const feed = { loads: 0 };
  const kinds = [
    { kind: 'pods', state: 'live', resourceVersion: '7', feed },
    { kind: 'nodes', state: 'away', resourceVersion: '5', seconds: 12, feed },
    { kind: 'secrets', state: 'away', error: 'secrets is forbidden', feed },
  ];
  const unservedKinds = [{ kind: 'widgets.example.com', reason: 'it is not defined' }];
  // @ts-expect-error -- what the log does not look at is left out
  const lines = linesOf((log) => logReady(log, { kinds, unservedKinds }));
  expect(lines).toMatchObject([
    { level: 'warn', kind: 'widgets.example.com', reason: 'it is not defined', msg: 'a kind passes for now' },
    { level: 'info', kind: 'nodes', ageSeconds: 12, msg: 'a kind is as its journal has it' },
    { level: 'warn', kind: 'secrets', reason: 'secrets is forbidden', msg: 'a kind passes for now' },
    { level: 'info', msg: 'ready: 2 of 4 kinds are answered from the cache' },
  ]);
});

it('has the stack of what nobody foresaw, and none of a journal that is left out', () => {
  const [feed, journal] = linesOf((log) => {
    logRelayError(log, new TypeError('odd'), 'feed');
    logRelayError(log, new Error('pods: the journal is damaged; the kind is listed'), 'journal');
  });
  expect(feed).toMatchObject({
    level: 'warn',
    part: 'feed',
    error: { message: 'odd', stack: expect.stringContaining('relay-log.test.ts') },
  });
  expect(journal).toMatchObject({ part: 'journal', msg: 'pods: the journal is damaged; the kind is listed' });
  expect(journal).not.toHaveProperty('error');
});
