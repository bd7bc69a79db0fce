/** A checkpoint in a file. Node only. */

import type { Checkpoint } from '../informer/checkpoint.ts';

export interface FileCheckpointOptions {
  /** Change it when your transform changes: objects in the file have been through it. Default: `''`. */
  readonly version?: string | undefined;
}

/**
 * Keeps an informer's cache in a file, readable for its owner only (it may hold Secrets). One informer a file. It is written
 * beside, flushed to the disk and renamed, so that a crash leaves the old one or the new one.
 *
 * @example
 * informer(cluster, pods, { checkpoint: fileCheckpoint('/var/lib/web/pods.checkpoint') });
 */
export function fileCheckpoint(path: string, { version = '' }: FileCheckpointOptions = {}): Checkpoint {
  if (path === '') throw new TypeError('fileCheckpoint needs a path');
  // Loaded when it is needed: its checksum takes all of Node's crypto, a fifth of what importing the runtime would cost.
  return {
    load: async (identity, warn) => {
      const { loadFile } = await import('./checkpoint-file.ts');
      return loadFile(path, { ...identity, version }, warn);
    },
    save: async (identity, draft) => {
      const { saveFile } = await import('./checkpoint-file.ts');
      await saveFile(path, { ...identity, version }, draft);
    },
  };
}
