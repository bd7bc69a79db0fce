/** Keeps lmdb from printing the stack of every failed transaction to the console; callers get the error anyway. */

import type { RootDatabase } from 'lmdb';

/** lmdb's native environment, as far as it is used here. */
interface NativeEnv {
  startWriting(address: number, callback: (status: number) => unknown): unknown;
}

/** lmdb reports each transaction to a callback with a status; these are not errors. */
const LAST_GOOD_STATUS = 2;

/** Silences `console.error` while lmdb handles the status of a failed transaction, which it does in one call. */
export function silenceFailedCommits(root: RootDatabase): void {
  const env: unknown = Reflect.get(root, 'env');
  if (!isNativeEnv(env)) return;
  const startWriting = env.startWriting.bind(env);
  const quietly: NativeEnv['startWriting'] = (address, callback) =>
    startWriting(address, (status) => {
      if (status >= 0 && status <= LAST_GOOD_STATUS) return callback(status);
      const { error } = console;
      Object.assign(console, { error: () => undefined });
      try {
        return callback(status);
      } finally {
        Object.assign(console, { error });
      }
    });
  // The native method is read-only, which rules out an assignment but not a property of this one environment.
  Object.defineProperty(env, 'startWriting', { value: quietly, configurable: true });
}

function isNativeEnv(value: unknown): value is NativeEnv {
  return typeof value === 'object' && value !== null && 'startWriting' in value;
}
