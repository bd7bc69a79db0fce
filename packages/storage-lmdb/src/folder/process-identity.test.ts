import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isAlive, ownIdentity } from './process-identity.ts';

const self = ownIdentity();
/** As a system has it that tells less: macOS, Windows. */
const bare = { ...self, boot: '', namespace: '', started: '' };

describe('whether a process lives', () => {
  it('is seen of this one, which says who it is', () => {
    expect(self).toMatchObject({ pid: process.pid, host: hostname() });
    expect(isAlive(self, ownIdentity())).toBe(true);
  });

  it.each([
    ['a machine that was started again', self, { boot: 'another' }, false],
    ['another container', self, { namespace: 'pid:[1]' }, undefined],
    ['another container of another start', self, { boot: 'another', namespace: 'pid:[1]' }, false],
    ['another host, whose start is known', self, { host: 'another' }, true],
    ['another host, whose start is not known', bare, { host: 'another' }, undefined],
    ['a number that was used again', self, { started: '1' }, false],
    ['a number that nobody has', self, { pid: 2 ** 22 + 1 }, false],
  ])('of %s', (_, me, changes, expected) => {
    expect(isAlive({ ...me, ...changes }, me)).toBe(expected);
  });

  it('is no more once it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const { pid = 0 } = child;
    const { readFileSync } = await import('node:fs');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const other = { ...self, pid, started: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' };
    expect(isAlive(other, self)).toBe(true);
    const exit = once(child, 'exit');
    child.stdin.end();
    await exit;
    expect(isAlive(other, self)).toBe(false);
  });
});
