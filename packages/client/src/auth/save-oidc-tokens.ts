/** Writes renewed tokens back into the kubeconfig that they came from, as kubectl does. */

import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, rename, rm } from 'node:fs/promises';
import type { OidcTokens } from './oidc-credentials.ts';
import { EVENT, eventAt, startOf, type YamlPath, type YamlSource, yamlSource } from './yaml-source.ts';

/** Comments and everything else stay as they are. The file is replaced in one step, for others read it meanwhile. */
export async function saveOidcTokens(file: string, userName: string, tokens: OidcTokens): Promise<void> {
  const { getScalarValue, parseEvents } = await import('js-yaml');
  const parse = (text: string): YamlSource => yamlSource(text, parseEvents(text, {}), getScalarValue);
  // A kubeconfig is often a link; a rename onto it would replace the link and leave the old tokens in its target.
  const path = await realpath(file);
  let source = parse(await readFile(path, 'utf8'));
  const user = userIndex(source, userName);
  if (user === undefined) return;
  const config = ['users', user, 'user', 'auth-provider', 'config'];
  for (const [key, token] of [
    ['id-token', tokens.idToken],
    ['refresh-token', tokens.refreshToken],
  ] as const) {
    const text = withText(source, config, key, yamlText(token));
    if (text === undefined) return;
    source = parse(text);
  }
  await replaceFile(path, source.text);
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

function userIndex(source: YamlSource, userName: string): number | undefined {
  for (let index = 0; eventAt(source, ['users', index]) !== undefined; index += 1) {
    const name = eventAt(source, ['users', index, 'name']);
    if (name?.type === EVENT.scalar && source.scalarText(name) === userName) return index;
  }
  return undefined;
}

/** A token in YAML. What YAML would take for a boolean, null or a number is quoted. */
function yamlText(token: string): string {
  const isPlain = /^[A-Za-z][\w./+=-]*$/u.test(token) && !/^(?:y|n|yes|no|on|off|true|false|null)$/iu.test(token);
  return isPlain ? token : JSON.stringify(token);
}

const QUOTED_STYLES: readonly number[] = [2, 3];
const BLOCK_STYLES: readonly number[] = [4, 5];
const FLOW_STYLE = 2;

/** The text with a member of a map set to `value`; undefined when the map is not written where the path leads. */
function withText(source: YamlSource, map: YamlPath, key: string, value: string): string | undefined {
  const { text } = source;
  const member = eventAt(source, [...map, key]);
  if (member?.type === EVENT.scalar && member.valueStart >= 0) {
    const isBlock = BLOCK_STYLES.includes(member.style);
    const quotes = QUOTED_STYLES.includes(member.style) ? 1 : 0;
    // The sign of a block stands on the line before its first.
    const start = isBlock ? text.lastIndexOf(':', member.valueStart) + 2 : member.valueStart - quotes;
    const rest = text.slice(member.valueEnd + quotes);
    return `${text.slice(0, start)}${value}${isBlock ? '\n' : ''}${rest}`;
  }
  const parent = eventAt(source, map);
  const start = startOf(parent);
  if (parent?.type !== EVENT.mapping || start === undefined || member !== undefined) return undefined;
  if (parent.style === FLOW_STYLE) {
    const at = parent.start + 1;
    const comma = /^\s*\}/u.test(text.slice(at)) ? '' : ', ';
    return `${text.slice(0, at)}${key}: ${value}${comma}${text.slice(at)}`;
  }
  const column = parent.start - (text.lastIndexOf('\n', parent.start - 1) + 1);
  return `${text.slice(0, parent.start)}${key}: ${value}\n${' '.repeat(column)}${text.slice(parent.start)}`;
}
