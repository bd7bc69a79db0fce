/** Writes renewed tokens back into the kubeconfig that they came from, as kubectl does. */

import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { OidcTokens } from './oidc-credentials.ts';

/** Comments and everything else stay as they are. The file is replaced in one step: others read it meanwhile. */
export async function saveOidcTokens(file: string, userName: string, tokens: OidcTokens): Promise<void> {
  const { isMap, isSeq, parseDocument } = await import('yaml');
  const document = parseDocument(await readFile(file, 'utf8'));
  const users = document.get('users');
  if (!isSeq(users)) return;
  const index = users.items.findIndex((item) => isMap(item) && item.get('name') === userName);
  if (index < 0) return;
  const config = ['users', index, 'user', 'auth-provider', 'config'];
  document.setIn([...config, 'id-token'], tokens.idToken);
  document.setIn([...config, 'refresh-token'], tokens.refreshToken);
  const { mode } = await stat(file);
  const written = `${file}.${process.pid}.new`;
  await writeFile(written, document.toString(), { mode: mode & 0o777 });
  await rename(written, file);
}
