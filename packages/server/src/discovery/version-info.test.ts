import { expect, it } from 'vitest';
import { versionDocument } from './version-info.ts';

it('the version is one that clients of Kubernetes can read, and says whose it is', () => {
  const info: Record<string, unknown> = JSON.parse(String(versionDocument()));
  expect(info).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.4+listwatch' });
  expect(Object.values(info).every((value) => typeof value === 'string')).toBe(true);
});

it('the version is indented and ends without a newline', () => {
  expect(String(versionDocument())).toMatch(/^\{\n {2}"major": "1",\n.*\n\}$/s);
});

it('the version tells what is known of the program', () => {
  const build = { commit: 'abc', date: '2026-01-01T00:00:00Z', runtime: 'node v20', platform: 'linux/x64' };
  expect(JSON.parse(String(versionDocument(build)))).toMatchObject({
    gitCommit: 'abc',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'node v20',
    platform: 'linux/x64',
  });
});
