import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileExists, makeLockFile, publish, temporaryName } from './store-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-publish-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file that gets its name when it is complete', () => {
  it('does not replace the file of a process that was faster', () => {
    const path = join(folder, 'a');
    for (const content of ['first', 'late']) {
      const temporary = temporaryName(path);
      writeFileSync(temporary, content);
      publish(temporary, path);
      expect(readFileSync(path, 'utf8')).toBe('first');
    }
  });

  it('fails when it cannot get it: nobody may believe that it is there', () => {
    expect(() => publish(join(folder, 'none'), join(folder, 'a'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(fileExists(join(folder, 'a'))).toBe(false);
  });

  it('has a name of its own in the same folder until then', () => {
    const names = Array.from({ length: 100 }, () => temporaryName(join(folder, 'a')));
    expect(new Set(names).size).toBe(100);
    for (const name of names) expect([dirname(name), name.startsWith(join(folder, 'a.'))]).toEqual([folder, true]);
  });
});

describe('the lock file', () => {
  it('is made once, long enough, for its owner alone, and leaves nothing else behind', () => {
    const path = join(folder, 'lock');
    makeLockFile(path);
    expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([16_384, 0o600]);
    writeFileSync(path, 'of another process');
    makeLockFile(path);
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['of another process', ['lock']]);
  });

  it('that cannot be made is an error, and leaves nothing behind', () => {
    expect(() => makeLockFile(join(folder, 'none', 'lock'))).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
