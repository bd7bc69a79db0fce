/** `listwatch store check`: reads a store and says what is wrong with it. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '@listwatch/api/values';
import { isStorageError } from '@listwatch/storage';
import { checkStore, type StoreReport } from '@listwatch/storage-lmdb';
import type { Host } from '../host.ts';
import { DATA_NAMES } from '../serve/data-folder.ts';
import { StartError } from '../start-error.ts';
import type { StoreCheckFlags } from './store-command.ts';

const SOUND = 0;
const DAMAGED = 3;

/** More lines than this help nobody; the rest is counted. */
const MAX_LINES = 100;

/** Resolves with the exit code. Throws a `StartError` when the store cannot be checked. */
export async function storeCheck(flags: StoreCheckFlags, host: Host): Promise<number> {
  const data = resolve(host.folder, flags.data ?? host.env['LISTWATCH_DATA'] ?? '.listwatch');
  // A copy of the store's own folder has the file itself.
  const path = existsSync(join(data, 'data.mdb')) ? data : join(data, DATA_NAMES.store);
  const report = await check(path);
  for (const finding of report.findings.slice(0, MAX_LINES)) host.stdout.write(`${printable(finding)}\n`);
  const left = report.findings.length - MAX_LINES;
  if (left > 0) host.stdout.write(`... and ${left} more\n`);
  host.stdout.write(`${summary(path, report)}\n`);
  return report.findings.length === 0 ? SOUND : DAMAGED;
}

async function check(path: string): Promise<StoreReport> {
  try {
    return await checkStore({ path, checkValue });
  } catch (error) {
    if (!isStorageError(error)) throw error;
    const help = error.code === 'IN_USE' ? '; stop it first, or check a copy' : '';
    throw new StartError(`${error.message}${help}`, { cause: error });
  }
}

/** The server keeps objects as JSON. */
function checkValue(_key: string, value: Uint8Array): string | undefined {
  try {
    const object: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value));
    return isRecord(object) ? undefined : 'is not a JSON object';
  } catch {
    return 'is not JSON';
  }
}

function summary(path: string, { findings, keys, values, bytes, revision, compacted }: StoreReport): string {
  const size = `${keys} keys, ${values} values, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const span = `revision ${revision}${compacted > 0n ? `, history from ${compacted}` : ''}`;
  if (findings.length === 0) return `the store in ${path} is sound: ${size}, ${span}`;
  const faults = findings.length === 1 ? '1 fault' : `${findings.length} faults`;
  return `the store in ${path} is damaged (${faults}): move it away and put a backup in its place; readable: ${size}, ${span}`;
}

/** Keys of a damaged store can contain anything, also what a terminal would obey. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}
