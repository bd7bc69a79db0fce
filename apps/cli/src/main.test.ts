import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-host.fixture.ts';
import { run } from './main.ts';

describe('the command', () => {
  it('prints its version', async () => {
    const host = fakeHost({ args: ['--version'] });
    expect(await run(host)).toBe(0);
    expect(host.written.stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it('answers no arguments with its help', async () => {
    const host = fakeHost();
    expect(await run(host)).toBe(0);
    expect(host.written.stdout).toContain('$ listwatch serve');
  });

  it.each([
    [['serve', '--storage', 'sqlite'], {}, '--storage must be lmdb, memory or etcd, got "sqlite"'],
    [
      ['serve'],
      { LISTWATCH_HISTORY: 'long' },
      '--history (LISTWATCH_HISTORY) must be a duration such as 30m, 24h or 7d',
    ],
    [['serve', '--config', '/nowhere'], {}, '--config must be a file that can be read, got "/nowhere"'],
    [['bench'], {}, "unknown command 'bench'"],
  ])('answers %j with one line and code 2', async (args, env, message) => {
    const host = fakeHost({ args, env });
    expect(await run(host)).toBe(2);
    expect(host.written.stdout).toBe('');
    expect(host.written.stderr.startsWith(`listwatch: ${message}`)).toBe(true);
    expect(host.written.stderr.trimEnd()).not.toContain('\n');
  });

  it.each([
    [['watch', 'pods', '--output', '\u001b[2J\u009b\nx']],
    [['watch', '\u202e\u2028', '--server', 'http://127.0.0.1:1']],
    [['--\u001b]0;owned\u0007']],
    [['\u001b[31m']],
  ])('answers %j in one line that cannot steer a terminal', async (args) => {
    const host = fakeHost({ args });
    expect(await run(host)).toBeGreaterThan(0);
    expect(host.written.stderr.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  });
});
