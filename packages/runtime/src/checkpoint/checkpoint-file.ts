/** Reads and writes the file of a checkpoint. */

import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { type ApiObject, type ResourceVersion, resourceVersion } from '@listwatch/api';
import type { CheckpointDraft, CheckpointIdentity, CheckpointState } from '../informer/checkpoint.ts';
import { removeLeftovers, replaceFile } from './file-replacement.ts';
import { readLines } from './read-lines.ts';

/** The first line of the file. The objects follow, one a line, and a line with the checksum of all before it. */
interface Header {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly identity: CheckpointFileIdentity;
  readonly versions: Readonly<Record<string, string>>;
  readonly objects: number;
}

/** Which cache the file holds. */
export interface CheckpointFileIdentity extends CheckpointIdentity {
  readonly version: string;
}

const FORMAT = 'listwatch-checkpoint';
const VERSION = 1;
const WRITE_BYTES = 256 * 1024;

/** `undefined` for a file that is missing, damaged, of something else or not private; all but the first are moved aside. */
export async function loadFile<T extends ApiObject>(
  path: string,
  identity: CheckpointFileIdentity,
  warn: (message: string, error?: unknown) => void,
): Promise<CheckpointState<T> | undefined> {
  await removeLeftovers(path);
  let file: FileHandle;
  try {
    // NOFOLLOW: the file that is read must be the one that a save replaces. NONBLOCK: opening a FIFO would wait for ever.
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (!isMissing(error)) warn(`Cannot open the checkpoint ${path}; starting with a full list`, error);
    return undefined;
  }
  try {
    try {
      await makePrivate(file);
      return await read<T>(file, identity);
    } finally {
      await file.close();
    }
  } catch (error) {
    const aside = `${path}.set-aside`;
    await rename(path, aside);
    warn(`Ignoring the checkpoint ${path} (moved to ${aside}); starting with a full list`, error);
    return undefined;
  }
}

/**
 * Takes away the permissions of group and others, which kubelet adds on volumes with an fsGroup. Throws when everybody could
 * write the file, for then its objects may be anybody's, and when the permissions cannot be taken away.
 */
async function makePrivate(file: FileHandle): Promise<void> {
  // Windows has no such permissions.
  if (process.platform === 'win32') return;
  const status = await file.stat();
  if (!status.isFile()) throw new Error('it is not a regular file');
  const mode = status.mode & 0o777;
  if ((mode & 0o077) !== 0) await file.chmod(mode & 0o700);
  if ((mode & 0o002) !== 0) throw new Error(`everybody could write it (mode ${mode.toString(8)})`);
}

async function read<T extends ApiObject>(
  file: FileHandle,
  identity: CheckpointFileIdentity,
): Promise<CheckpointState<T> | undefined> {
  const hash = createHash('sha256');
  const objects: T[] = [];
  let header: Header | undefined;
  for await (const line of readLines(file)) {
    if (header === undefined) {
      header = readHeader(line, identity);
    } else if (objects.length === header.objects) {
      return finish(header, objects, line, hash);
    } else {
      const object: T = JSON.parse(line.toString());
      objects.push(object);
    }
    hash.update(line).update('\n');
  }
  throw new Error('the file ends before its checksum');
}

function readHeader(line: Buffer, identity: CheckpointFileIdentity): Header {
  const header: Partial<Header> | null = JSON.parse(line.toString());
  if (header?.format !== FORMAT) throw new Error('the file is not a checkpoint');
  const { version, versions, objects } = header;
  if (version !== VERSION)
    throw new Error(`the checkpoint has format ${version}, this program reads format ${VERSION}`);
  const [is, wanted] = [identityText(header.identity), identityText(identity)];
  if (is !== wanted) throw new Error(`the checkpoint belongs to another cache: ${is}, not ${wanted}`);
  if (versions === undefined || typeof objects !== 'number') throw new Error('the checkpoint has no versions');
  return { format: FORMAT, version, identity, versions, objects };
}

function finish<T extends ApiObject>(
  header: Header,
  objects: readonly T[],
  line: Buffer,
  hash: Hash,
): CheckpointState<T> {
  const { sha256 }: { readonly sha256?: unknown } = JSON.parse(line.toString());
  if (sha256 !== hash.digest('hex')) throw new Error('the checksum is wrong');
  const versions = new Map<string, ResourceVersion>();
  for (const [source, version] of Object.entries(header.versions)) versions.set(source, resourceVersion(version));
  return { versions, objects };
}

/** Replaces the file in one step. */
export async function saveCheckpointFile(
  path: string,
  identity: CheckpointFileIdentity,
  { versions, size, objects }: CheckpointDraft,
): Promise<void> {
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    identity,
    versions: Object.fromEntries(versions),
    objects: size,
  };
  await replaceFile(path, (file) => writeLines(file, linesOf(header, objects)));
}

function* linesOf(header: Header, objects: Iterable<Uint8Array | string>): Iterable<Uint8Array | string> {
  yield JSON.stringify(header);
  yield* objects;
}

async function writeLines(file: FileHandle, lines: Iterable<Uint8Array | string>): Promise<void> {
  const hash = createHash('sha256');
  let batch: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    await file.writeFile(Buffer.concat(batch));
    batch = [];
    size = 0;
  };
  for (const line of lines) {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line;
    hash.update(bytes).update('\n');
    batch.push(bytes, NEWLINE);
    size += bytes.length + 1;
    if (size >= WRITE_BYTES) await flush();
  }
  batch.push(Buffer.from(JSON.stringify({ sha256: hash.digest('hex') })), NEWLINE);
  await flush();
}

const NEWLINE = Buffer.from('\n');

/** Members in a fixed order, so that equal identities have equal texts. */
function identityText(identity: CheckpointFileIdentity | undefined): string {
  return JSON.stringify(Object.entries(identity ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
