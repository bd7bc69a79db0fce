import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBrowser, openerOf } from './open-browser.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const URL_WITH_SIGNS = 'http://127.0.0.1:6480/console/login?code=a-b_c&x=$(touch y)';

/** A folder with a program of this name. */
function pathWith(name: string, script: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

it('gives the link to xdg-open as one argument, which no shell reads', async () => {
  const folder = pathWith('xdg-open', 'printf "%s|" "$@" > "$OUT"');
  const OUT = join(folder, 'out');
  expect(await openBrowser(URL_WITH_SIGNS, { env: { PATH: `${folder}:/usr/bin:/bin`, OUT }, platform: 'linux' })).toBe(
    true,
  );
  expect(readFileSync(OUT, 'utf8')).toBe(`${URL_WITH_SIGNS}|`);
});

it('gives the link to osascript as its input, where other users do not see it', async () => {
  const folder = pathWith('osascript', 'printf "%s|" "$@" > "$OUT"; cat >> "$OUT"');
  const OUT = join(folder, 'out');
  expect(await openBrowser('http://a/', { env: { PATH: `${folder}:/usr/bin:/bin`, OUT }, platform: 'darwin' })).toBe(
    true,
  );
  expect(readFileSync(OUT, 'utf8')).toBe('-|open location "http://a/"\n');
});

it('uses no shell on Windows', () => {
  expect(openerOf('win32', URL_WITH_SIGNS)).toEqual({
    command: 'rundll32',
    args: ['url.dll,FileProtocolHandler', URL_WITH_SIGNS],
  });
});

it('says that nothing was opened when there is no such program, or it fails', async () => {
  expect(await openBrowser('http://a/', { env: { PATH: newFolder() }, platform: 'linux' })).toBe(false);
  const failing = pathWith('xdg-open', 'exit 3');
  expect(await openBrowser('http://a/', { env: { PATH: `${failing}:/bin` }, platform: 'linux' })).toBe(false);
  const deaf = pathWith('osascript', 'exit 1');
  expect(await openBrowser('http://a/', { env: { PATH: `${deaf}:/bin` }, platform: 'darwin' })).toBe(false);
});

it('does not wait for a browser that stays open', async () => {
  const folder = pathWith('xdg-open', 'echo $$ > "$OUT"; exec sleep 60');
  const OUT = join(folder, 'out');
  const opened = openBrowser('http://a/', { env: { PATH: `${folder}:/usr/bin:/bin`, OUT }, platform: 'linux' });
  const pid = await vi.waitFor(() => {
    const text = readFileSync(OUT, 'utf8').trim();
    expect(text).toMatch(/^\d+$/u);
    return Number(text);
  }, 20_000);
  process.kill(pid, 'SIGKILL');
  expect(await opened).toBe(false);
});
