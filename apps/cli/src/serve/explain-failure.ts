/** Why a server did not start, in one sentence for the person who started it. */

import { isStorageError, type StorageError } from '@listwatch/storage';
import { explainFileError, isListenError, systemErrorCode } from '../file-error.ts';
import { StartError } from '../start-error.ts';
import { optionName } from './option-spec.ts';
import { type ServeSettings } from './serve-options.ts';

/** The sentence; undefined for a failure that nobody foresaw, whose stack is of use. */
export function explainFailure(error: unknown, settings: ServeSettings): string | undefined {
  if (error instanceof StartError) return error.message;
  if (isStorageError(error)) return explainStorage(error, settings);
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  if (isListenError(error)) return explainListen(error, code, settings);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : settings.data;
  return `${path} cannot be used: ${explainFileError(error)}`;
}

function explainStorage({ code, message }: StorageError, { storage, data }: ServeSettings): string {
  if (code === 'IN_USE') return `${message}; stop it, or choose another folder with --data`;
  if (code === 'CORRUPT' && storage === 'lmdb')
    return `${message} (for all faults: listwatch store check --data ${data})`;
  return message;
}

function explainListen(error: Error, code: string, settings: ServeSettings): string {
  const port = 'port' in error && typeof error.port === 'number' ? error.port : settings.port;
  const option = port === settings.insecurePort && port !== settings.port ? 'insecurePort' : 'port';
  const host = option === 'port' ? settings.bindAddress : '127.0.0.1';
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken; choose another one with --${optionName(option)} (0 for any free one)`;
    case 'EACCES':
      return `port ${port} on ${host} is not for this user; choose one above 1023 with --${optionName(option)}`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine; choose one with --${optionName('bindAddress')}`;
    default:
      return `port ${port} on ${host} cannot be used: ${error.message}`;
  }
}
