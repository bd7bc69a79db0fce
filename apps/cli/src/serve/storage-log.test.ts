import { painter } from '@listwatch/api/internal';
import { createLog } from '@listwatch/runtime/log';
import { StorageError } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { logReach, logStorageError } from './storage-log.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): readonly string[] {
  const host = fakeHost({ terminal: false });
  write(createLog({ format: 'text', verbosity: 0, output: host.stdout, paint: painter(false, host.env) }));
  const lines = host.written.stdout.trimEnd().split('\n');
  return lines.map((line) => line.replace(/^\S+ /u, ''));
}

it('says in words what happened to etcd and what that means', () => {
  const lines = linesOf((log) => {
    logReach(log, { type: 'lost', reason: 'connect ECONNREFUSED 127.0.0.1:2379' });
    logReach(log, { type: 'back', endpoint: 'http://b:2379', downMs: 2345 });
    logReach(log, { type: 'moved', from: 'http://a:2379', endpoint: 'http://b:2379', reason: 'socket hang up' });
  });
  expect(lines).toEqual([
    'error no member of etcd serves: reads that accept old data and watches go on, everything else waits and then fails reason="connect ECONNREFUSED 127.0.0.1:2379"',
    'info  etcd serves again after 2.3 s member=http://b:2379',
    'warn  etcd at http://a:2379 does not serve: http://b:2379 is used reason="socket hang up"',
  ]);
});

it('says what a store that failed means for the server, and names the request if there was one', () => {
  const feed = { method: '', target: 'storage feed', auditId: '' };
  const lines = linesOf((log) => {
    logStorageError(log, new StorageError('COMPACTED', 'revision 7 has been compacted'), feed);
    logStorageError(log, new StorageError('CORRUPT', 'a page is damaged'), feed);
    logStorageError(log, new StorageError('CORRUPT', 'a page is damaged'), {
      method: 'GET',
      target: '/x',
      auditId: 'i',
    });
  });
  expect(lines).toEqual([
    'warn  the history was compacted before this server had read it: it loads the present state, and watches that are behind get 410 and list again code=COMPACTED reason="revision 7 has been compacted"',
    'error the store cannot be followed: its state is loaded again code=CORRUPT reason="a page is damaged"',
    'error a page is damaged code=CORRUPT method=GET target=/x auditId=i',
  ]);
});
