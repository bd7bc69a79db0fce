import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveOidcTokens } from './save-oidc-tokens.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'save-oidc-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function saved(text: string, idToken = 'eyJ.new', refreshToken = 'r-new'): Promise<string> {
  const file = join(folder, 'config');
  writeFileSync(file, text, { mode: 0o600 });
  await saveOidcTokens(file, 'me', { idToken, refreshToken });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readFileSync(file, 'utf8');
}

const kubeconfig = (config: string) =>
  `# mine\nusers:\n- name: other\n  user: {token: t} # keep\n- name: me\n  user:\n    auth-provider:\n      name: oidc\n      config:${config}\nkind: Config # last\n`;

describe('renewed tokens', () => {
  it('take the place of the old ones, and all else stays as it was', async () => {
    const text = kubeconfig('\n        client-id: "x" # id\n        id-token: old # why\n        refresh-token: \'o\'');
    expect(await saved(text)).toBe(text.replace('old', 'eyJ.new').replace("'o'", 'r-new'));
  });

  it.each([
    ['without them', '\n        client-id: x'],
    ['with one of them', '\n        id-token: old'],
    ['on one line', ' {client-id: x, id-token: old}'],
    ['empty on one line', ' {}'],
    ['with a token in a block', '\n        id-token: >-\n          ey\n          J\n        client-id: x'],
    ['with Windows lines', '\r\n        id-token: old\r\n        client-id: x\r'],
  ])('are written into a config %s', async (_what, config) => {
    const after = await saved(kubeconfig(config));
    expect(load(after)).toMatchObject({
      users: [
        { name: 'other', user: { token: 't' } },
        { user: { 'auth-provider': { name: 'oidc', config: { 'id-token': 'eyJ.new', 'refresh-token': 'r-new' } } } },
      ],
      kind: 'Config',
    });
    expect(after).toContain('# keep');
    expect(after).toContain('kind: Config # last');
  });

  it.each(['true', '123', 'a: b', '', '"', 'NO'])(
    'that YAML would read as something else are quoted: %s',
    async (token) => {
      const after = await saved(kubeconfig('\n        id-token: old'), token, token);
      expect(load(after)).toMatchObject({
        users: [{}, { user: { 'auth-provider': { config: { 'id-token': token, 'refresh-token': token } } } }],
      });
    },
  );

  it.each(['kind: Config\n', 'users: []\n', 'users:\n- name: me\n  user: {}\n', ''])(
    'of a user who is not there change nothing: %j',
    async (text) => expect(await saved(text)).toBe(text),
  );
});
