import { execFileSync, spawnSync } from 'node:child_process';
import {
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { needs } from '@listwatch/conformance/parts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile, type RotationConfig } from './rotating-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-rotating-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NEVER: RotationConfig = { maxBytes: 0, maxAgeMs: 0, maxBackups: 0, compress: false };
let now = Date.parse('2026-11-16T15:29:51.506Z');
const file = (config: Partial<RotationConfig> = {}, name = 'audit.log'): RotatingFile =>
  new RotatingFile(join(folder, name), { ...NEVER, ...config }, () => now);

describe('a log file', () => {
  it('is made for its owner alone, and so is its folder', async () => {
    const made = file({}, 'sub/audit.log');
    await made.open();
    await made.append(['a\n', 'b\n']);
    await made.close();
    const path = join(folder, 'sub', 'audit.log');
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
    expect([statSync(path).mode & 0o777, statSync(join(folder, 'sub')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('goes on where it ended', async () => {
    for (const line of ['a\n', 'b\n']) {
      const opened = file();
      await opened.open();
      await opened.append([line]);
      await opened.close();
    }
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe('a\nb\n');
  });

  it('is put aside before it grows too large, under the time of that', async () => {
    const rotated = file({ maxBytes: 10 });
    for (const line of ['123456\n', '234567\n', 'longer than the limit\n', '3\n']) await rotated.append([line]);
    await rotated.close();
    expect(readdirSync(folder).toSorted()).toEqual([
      'audit-2026-11-16T15-29-51.506.log',
      'audit-2026-11-16T15-29-51.507.log',
      'audit-2026-11-16T15-29-51.508.log',
      'audit.log',
    ]);
    expect(readFileSync(join(folder, 'audit-2026-11-16T15-29-51.508.log'), 'utf8')).toBe('longer than the limit\n');
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe('3\n');
  });

  it('keeps as many old files as it may, none that is too old, and leaves others alone', async () => {
    const day = 86_400_000;
    for (const [name, text] of [
      ['audit-2026-11-01T00-00-00.000.log', 'old'],
      ['audit-2026-11-14T00-00-00.000.log', 'kept'],
      ['audit-2026-11-15T00-00-00.000.log.gz', 'kept'],
      ['audit-notes.log', 'not ours'],
      ['other-2026-11-01T00-00-00.000.log', 'not ours'],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    const rotated = file({ maxBytes: 10, maxAgeMs: 7 * day, maxBackups: 2 });
    await rotated.append(['123456\n']);
    await rotated.append(['123456\n']);
    await rotated.close();
    expect(readdirSync(folder).toSorted()).toEqual([
      'audit-2026-11-15T00-00-00.000.log.gz',
      'audit-2026-11-16T15-29-51.506.log',
      'audit-notes.log',
      'audit.log',
      'other-2026-11-01T00-00-00.000.log',
    ]);
  });

  it('compresses what it has put aside', async () => {
    now += 1000;
    const rotated = file({ maxBytes: 10, compress: true });
    await rotated.append(['123456\n']);
    await rotated.append(['234567\n']);
    await rotated.close();
    const path = join(folder, 'audit-2026-11-16T15-29-52.506.log.gz');
    expect(gunzipSync(readFileSync(path)).toString()).toBe('123456\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('is not compressed into, or read from, what a link leads to', async () => {
    const outside = join(folder, 'outside');
    writeFileSync(outside, 'precious', { mode: 0o644 });
    const rotated = file({ maxBytes: 10, compress: true });
    const [first, second] = [1, 2].map((ms) => `audit-2026-11-16T15-29-5${ms}.000.log`);
    writeFileSync(join(folder, first ?? ''), 'first\n');
    symlinkSync(outside, join(folder, `${first}.gz.part`));
    symlinkSync(outside, join(folder, second ?? ''));
    await rotated.append(['a\n']);
    await rotated.close();
    expect([readFileSync(outside, 'utf8'), statSync(outside).mode & 0o777]).toEqual(['precious', 0o644]);
    expect(gunzipSync(readFileSync(join(folder, `${first}.gz`))).toString()).toBe('first\n');
    expect(readdirSync(folder).toSorted()).toEqual([`${first}.gz`, second, 'audit.log', 'outside']);
  });

  it('may be a link of this user', async () => {
    symlinkSync(join(folder, 'elsewhere.log'), join(folder, 'audit.log'));
    const linked = file();
    await linked.append(['a\n']);
    await linked.close();
    expect(readFileSync(join(folder, 'elsewhere.log'), 'utf8')).toBe('a\n');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'may be no link of another user, who would choose what is written to',
    async () => {
      const outside = join(folder, 'outside');
      writeFileSync(outside, 'precious');
      symlinkSync(outside, join(folder, 'audit.log'));
      lchownSync(join(folder, 'audit.log'), 12_345, 12_345);
      await expect(file().open()).rejects.toThrow('audit.log is a link of user 12345, and this is user 0');
      expect(readFileSync(outside, 'utf8')).toBe('precious');
    },
  );

  it('that cannot be written says so and loses no line that it has', async () => {
    const broken = file({}, 'missing.log');
    await broken.open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    const unopened = file({}, 'missing.log');
    expect(await unopened.append(['a\n', 'b\n'])).toMatchObject({ lines: 0, error: { code: 'EEXIST' } });
    await broken.close();
  });
});

describe('a full disk', needs('tmpfs'), () => {
  it('keeps whole lines only, says how many, and goes on when there is room again', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    try {
      const full = file();
      await full.open();
      const ballast = join(folder, 'ballast');
      writeFileSync(ballast, Buffer.alloc(40 * 1024));
      const lines = Array.from({ length: 40 }, (_, i) => `${String(i).padEnd(999, '.')}\n`);
      const { lines: kept, error } = await full.append(lines);
      expect(error).toMatchObject({ code: 'ENOSPC' });
      expect(kept).toBeGreaterThan(5);
      expect(kept).toBeLessThan(40);
      expect(readFileSync(full.path, 'utf8')).toBe(lines.slice(0, kept).join(''));
      expect(await full.append(['x'.repeat(9999)])).toMatchObject({ lines: 0, error: { code: 'ENOSPC' } });
      rmSync(ballast);
      expect(await full.append(['after\n'])).toEqual({ lines: 1 });
      expect(readFileSync(full.path, 'utf8')).toBe(`${lines.slice(0, kept).join('')}after\n`);
      await full.close();
    } finally {
      spawnSync('umount', ['-l', folder]);
    }
  });
});
