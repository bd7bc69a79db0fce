/** `--crds`: the CRDs of a folder are served from the start, and follow its files. */

import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '@listwatch/api';
import {
  applyYaml,
  assemble,
  type Cluster,
  createCluster,
  createLoopbackTransport,
  isApplyError,
  type ManifestFile,
  readManifestFiles,
} from '@listwatch/client';
import type { ApiServer } from '@listwatch/server';
import type { Logger } from 'pino';
import { StartError } from '../start-error.ts';

/** What it needs. */
export interface CrdFolderParts {
  /** A file or a folder. */
  readonly path: string;
  readonly cluster: Cluster;
  readonly log: Logger;
}

/** It has the ClusterRole `listwatch:crds`. */
const USER = { name: 'system:listwatch:crds', groups: [] };

/** Installs the CRDs of a path into a server in this process. Resolves when they are applied; see `CrdFolder.install`. */
export async function installCrdFolder(
  server: Pick<ApiServer, 'handle'>,
  { path, log }: Pick<CrdFolderParts, 'log' | 'path'>,
): Promise<CrdFolder> {
  const wire = createLoopbackTransport({ handle: (request) => server.handle(request, { user: USER }) });
  const cluster = createCluster(assemble(wire, { clock: systemClock, onWarning: false }), {
    server: 'loopback:',
    clock: systemClock,
  });
  const folder = new CrdFolder({ path, cluster, log });
  try {
    await folder.install();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Editors write a file in several steps. */
const SETTLE_MS = 200;

/** Installs the CRDs of a folder and, after that, what changes in it. A CRD whose file goes stays: its objects would go with it. */
export class CrdFolder {
  readonly #parts: CrdFolderParts;
  /** What was applied last, by name. */
  readonly #applied = new Map<string, string>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: CrdFolderParts) {
    this.#parts = parts;
  }

  /** Resolves when all are applied. Throws a `StartError` for a file that cannot be read and for a CRD that is refused. */
  async install(): Promise<void> {
    const { path } = this.#parts;
    // Before the files are read: a change in between is seen.
    this.#follow();
    try {
      await this.#applyChanges();
    } catch (error) {
      throw new StartError(`--crds ${path}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Resolves when nothing is applied any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    await this.#work;
    await this.#parts.cluster.close();
  }

  #follow(): void {
    const { path, log } = this.#parts;
    try {
      const isFolder = statSync(path).isDirectory();
      this.#watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder, persistent: false }, () =>
        this.#changed(),
      );
      this.#watcher.on('error', (error) => log.warn({ err: error, path }, 'changes of --crds are no longer seen'));
    } catch {
      // `install` reads the same path, and says what is wrong with it.
    }
  }

  #changed(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#work = this.#again(this.#work);
    }, SETTLE_MS).unref();
  }

  /** One after the other: two at once would apply an older file last. */
  async #again(before: Promise<void>): Promise<void> {
    await before;
    try {
      await this.#applyChanges();
    } catch (error) {
      this.#parts.log.error({ path: this.#parts.path }, `--crds: ${messageOf(error)}`);
    }
  }

  async #applyChanges(): Promise<void> {
    const { path, cluster, log } = this.#parts;
    const files = (await readManifestFiles(path)).filter(({ object }) => object.kind === 'CustomResourceDefinition');
    for (const file of files) {
      const name = file.object.metadata.name ?? '';
      const text = JSON.stringify(file.object);
      if (this.#isClosed || this.#applied.get(name) === text) continue;
      await applyYaml(cluster, file.object, { fieldManager: 'listwatch-crds', force: true });
      this.#applied.set(name, text);
      log.info({ name, file: file.path }, 'serves the custom resource definition');
    }
    this.#tellRemoved(files);
  }

  #tellRemoved(files: readonly ManifestFile[]): void {
    const left = new Set(files.map(({ object }) => object.metadata.name));
    for (const name of this.#applied.keys()) {
      if (left.has(name)) continue;
      this.#applied.delete(name);
      this.#parts.log.warn({ name }, 'the file of a CRD is gone; it is still served, until somebody deletes it');
    }
  }
}

function messageOf(error: unknown): string {
  const reason = isApplyError(error) ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : String(reason);
}
