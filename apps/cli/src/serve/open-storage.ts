/** Opens the storage engine that was chosen. */

import { join } from 'node:path';
import { createMemoryEngine, type StorageEngine, type StorageError } from '@listwatch/storage';
import type { EtcdReach } from '@listwatch/storage-etcd';
import type { LmdbEngineOptions } from '@listwatch/storage-lmdb';
import { StartError } from '../start-error.ts';
import { DATA_NAMES } from './data-folder.ts';
import type { ServeSettings } from './serve-options.ts';

/** What an engine has to say besides its answers. */
export interface StorageListener
  extends Pick<LmdbEngineOptions, 'onBackgroundError' | 'onPermissionsRepaired' | 'onRestored'> {
  /** A file for etcd was replaced by one that cannot be used. */
  readonly onCredentialsError: (error: StorageError) => void;
  readonly onReach: (reach: EtcdReach) => void;
}

/**
 * The engine, ready for use. The modules of the others are not loaded: etcd's client alone would take a third of the
 * time to start.
 */
export async function openStorage(settings: ServeSettings, listener: StorageListener): Promise<StorageEngine> {
  const history = settings.history === undefined ? undefined : { age: settings.history };
  switch (settings.storage) {
    case 'memory':
      return createMemoryEngine({ history });
    case 'lmdb': {
      const { openLmdbEngine } = await import('@listwatch/storage-lmdb');
      const { onBackgroundError, onPermissionsRepaired, onRestored } = listener;
      const options = { path: join(settings.data, DATA_NAMES.store), history };
      return openLmdbEngine({ ...options, onBackgroundError, onPermissionsRepaired, onRestored });
    }
    case 'etcd': {
      const { answersProgressInOrder, createEtcdEngine, ...etcd } = await import('@listwatch/storage-etcd');
      const { etcdServers: endpoints, etcdPrefix: root, etcdUsername: username, etcdPasswordFile } = settings;
      const { etcdCafile: caFile, etcdCertfile: certFile, etcdKeyfile: keyFile } = settings;
      const tls = etcd.tlsFromFiles({ caFile, certFile, keyFile });
      const auth =
        username === undefined || etcdPasswordFile === undefined
          ? undefined
          : etcd.authFromFiles({ username, passwordFile: etcdPasswordFile });
      const { onCredentialsError, onReach } = listener;
      const options = { endpoints, root, history, tls, auth, onCredentialsError, onReach };
      // An old etcd that is asked all the same can answer before its events, and the cache would miss them.
      const engine = createEtcdEngine({ ...options, progressRequests: await answersProgressInOrder(options) });
      await checkReachable(engine, endpoints);
      return engine;
    }
  }
}

/** The engine connects when it is first used; a server without its storage should say so before it listens. */
async function checkReachable(engine: StorageEngine, endpoints: readonly string[]): Promise<void> {
  try {
    await engine.revision();
  } catch (cause) {
    await engine.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`etcd at ${endpoints.join(', ')} cannot be used: ${reason}`, { cause });
  }
}
