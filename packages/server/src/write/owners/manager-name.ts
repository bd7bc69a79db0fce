/** The name under which a write is recorded in `metadata.managedFields`. */

import { utf8Length } from '@listwatch/api';
import type { ApiRequest } from '../../contract/api-request.ts';

const NAME_MAX = 128;

/** The characters that Go's `unicode.IsPrint` accepts. */
const PRINTABLE = /[ \p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** The `fieldManager` of a request, or the first part of its User-Agent: `kubectl` of `kubectl/v1.36.0 (linux/amd64)`. */
export function managerName(fieldManager: string, request: Pick<ApiRequest, 'header'>): string {
  if (fieldManager !== '') return fieldManager;
  const agent = request.header('user-agent') ?? '';
  const known = names.get(agent);
  if (known !== undefined) return known;
  const name = nameIn(agent);
  if (names.size >= NAMES_MAX) names.clear();
  names.set(agent, name);
  return name;
}

/** A cache by User-Agent: a few programs send nearly all requests. */
const names = new Map<string, string>();
const NAMES_MAX = 100;

function nameIn(agent: string): string {
  const [program = ''] = agent.split('/', 1);
  let name = '';
  let bytes = 0;
  for (const character of program) {
    if (!PRINTABLE.test(character)) continue;
    bytes += utf8Length(character);
    if (bytes > NAME_MAX) break;
    name += character;
  }
  return name === '' ? 'unknown' : name;
}
