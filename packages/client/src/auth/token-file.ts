/** A token in a file that is written anew before the token expires, as the kubelet does. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { ConfigError } from './config-error.ts';
import { readConfigText } from './read-config-file.ts';
import type { UserCredentials } from './user-credentials.ts';

/** Tokens are renewed when a fifth of their time is left, which is minutes: looking once a minute is early enough. */
const LOOK_AFTER_MS = 60_000;

/** Reads the file once a minute at most, and at once when the server refuses what it has. */
export function tokenFileCredentials(path: string, clock: Clock): UserCredentials {
  let known: { readonly token: string; readonly at: number } | undefined;
  const read = async (): Promise<string> => {
    const token = (await readConfigText(path, 'the token file')).trim();
    if (token === '') throw new ConfigError('FILE_INVALID', `the token file ${path} is empty`);
    known = { token, at: monotonicMs(clock) };
    return token;
  };
  const current = async (): Promise<string> => {
    if (known !== undefined && monotonicMs(clock) - known.at < LOOK_AFTER_MS) return known.token;
    try {
      return await read();
    } catch (error) {
      // While the file is being replaced it may be away for a moment; the token that we have is good for longer.
      if (known === undefined) throw error;
      return known.token;
    }
  };
  return {
    headers: async () => ({ authorization: `Bearer ${await current()}` }),
    renew: async (refused) => `Bearer ${await read()}` !== refused['authorization'],
  };
}
