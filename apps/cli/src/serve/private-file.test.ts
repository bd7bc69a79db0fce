import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { createPrivateFile, readIfExists, writePrivateFile } from './private-file.ts';

const newFolder = temporaryFolders();

describe('a private file', () => {
  it('is for its owner only, and so is a folder that is made for it', () => {
    const path = join(newFolder(), 'new', 'file');
    writePrivateFile(path, 'text');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  it('replaces an open one and leaves nothing else behind', () => {
    const folder = newFolder();
    const path = join(folder, 'file');
    writeFileSync(path, 'old', { mode: 0o644 });
    writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('that must not exist yet is written by the first only', () => {
    const folder = newFolder();
    const path = join(folder, 'file');
    expect([createPrivateFile(path, 'first'), createPrivateFile(path, 'second')]).toEqual([true, false]);
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('that cannot be written leaves nothing behind', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'taken'));
    expect(() => writePrivateFile(join(folder, 'taken'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/u);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('that does not exist has no text; one that cannot be read is an error', () => {
    const folder = newFolder();
    expect(readIfExists(join(folder, 'none'))).toBeUndefined();
    expect(() => readIfExists(folder)).toThrow('EISDIR');
  });
});
