/** A checkpoint in a file. Node only. */

import type { Checkpoint } from '../informer/checkpoint.ts';

export interface FileCheckpointOptions {
  /** Change it when your transform changes: objects in the file have been transformed already. Default: `''`. */
  readonly version?: string | undefined;
}

/**
 * Keeps an informer's cache in a file that only its owner can read (it may hold Secrets). Use one file for each informer. A save
 * writes a temporary file beside it, flushes it and renames it, so that a crash leaves the old file or the new one.
 *
 * @example
 * informer(cluster, pods, { checkpoint: fileCheckpoint('/var/lib/web/pods.checkpoint') });
 */
export function fileCheckpoint(path: string, { version = '' }: FileCheckpointOptions = {}): Checkpoint {
  if (path === '') throw new TypeError('fileCheckpoint needs a path');
  // Loaded when needed: its checksum loads all of Node's crypto, a fifth of the cost of importing the runtime.
  return {
    load: async (identity, warn) => {
      const { loadFile } = await import('./checkpoint-file.ts');
      return loadFile(path, { ...identity, version }, warn);
    },
    save: async (identity, draft) => {
      const { saveCheckpointFile: saveFile } = await import('./checkpoint-file.ts');
      await saveFile(path, { ...identity, version }, draft);
    },
  };
}
