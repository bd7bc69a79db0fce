import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { LoginSessions } from './login-sessions.ts';
import { logoutFile } from './logout-file.ts';

const newFolder = temporaryFolders();
const secret = Buffer.alloc(32, 7);

function sessionsOf(path: string, onError: (error: unknown) => void = () => {}): LoginSessions {
  return new LoginSessions({
    secret,
    name: 'c',
    access: 'read',
    clock: new FakeClock(),
    logouts: logoutFile(path, onError),
  });
}

it('a logout holds after a restart with the same secret, and so does every other login', () => {
  const path = join(newFolder(), 'logouts');
  const before = sessionsOf(path);
  const [ended, kept] = [before.begin(), before.begin()];
  const session = before.check(ended.cookie, ended.key);
  if (session === undefined) return expect.unreachable();
  before.end(session);
  const after = sessionsOf(path);
  expect(after.check(ended.cookie, ended.key)).toBeUndefined();
  expect(after.check(kept.cookie, kept.key)).toBeDefined();
});

it('a logout that cannot be written holds until the restart, and is told', () => {
  const folder = newFolder();
  const path = join(folder, 'logouts');
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
  const errors: unknown[] = [];
  const store = logoutFile(path, (error) => errors.push(error));
  const sessions = new LoginSessions({
    secret,
    name: 'c',
    access: 'read',
    clock: new FakeClock(),
    logouts: { load: () => new Map(), save: (logouts) => store.save(logouts) },
  });
  const login = sessions.begin();
  const session = sessions.check(login.cookie, login.key);
  if (session === undefined) return expect.unreachable();
  sessions.end(session);
  expect(sessions.check(login.cookie, login.key)).toBeUndefined();
  expect(String(errors)).toContain(`a logout cannot be written to ${path}`);
});

it('lines that are no logouts are ignored', () => {
  const path = join(newFolder(), 'logouts');
  writeFileSync(path, 'x\n\nAAAAAAAAAAAAAAAAAAAAAA 5\nAAAAAAAAAAAAAAAAAAAAAA five\n');
  expect([...logoutFile(path, () => {}).load()]).toEqual([['AAAAAAAAAAAAAAAAAAAAAA', 5]]);
});
