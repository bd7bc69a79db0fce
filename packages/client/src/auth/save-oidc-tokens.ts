/** Writes renewed tokens back into the kubeconfig that they came from, as kubectl does. */

import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, rename, rm } from 'node:fs/promises';
import type { OidcTokens } from './oidc-credentials.ts';

/** Comments and everything else stay as they are. The file is replaced in one step, for others read it meanwhile. */
export async function saveOidcTokens(file: string, userName: string, tokens: OidcTokens): Promise<void> {
  const { isMap, isSeq, parseDocument } = await import('yaml');
  // A link is often in the place of a kubeconfig; a rename onto it would replace the link and leave the old tokens where it led.
  const path = await realpath(file);
  const document = parseDocument(await readFile(path, 'utf8'));
  const users = document.get('users');
  if (!isSeq(users)) return;
  const index = users.items.findIndex((item) => isMap(item) && item.get('name') === userName);
  if (index < 0) return;
  const config = ['users', index, 'user', 'auth-provider', 'config'];
  document.setIn([...config, 'id-token'], tokens.idToken);
  document.setIn([...config, 'refresh-token'], tokens.refreshToken);
  await replaceFile(path, document.toString());
}

/** Through a private temporary file whose name nobody can guess: a link of that name would choose which file we overwrite. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(12).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // Private from now on, whatever it was: it holds a refresh token.
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
