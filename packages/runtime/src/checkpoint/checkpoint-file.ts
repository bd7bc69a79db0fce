/** The file of a checkpoint: how it is read and written. */

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ApiObject, type ResourceVersion, resourceVersion } from '@listwatch/api';
import type { CheckpointDraft, CheckpointIdentity, CheckpointState } from '../informer/checkpoint.ts';
import { readLines } from './read-lines.ts';

/** The first line of the file. The objects follow, one a line, and a line with the checksum of all before it. */
interface Header {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly identity: FileIdentity;
  readonly versions: Readonly<Record<string, string>>;
  readonly objects: number;
}

/** What a file is of. */
export interface FileIdentity extends CheckpointIdentity {
  readonly version: string;
}

const FORMAT = 'listwatch-checkpoint';
const VERSION = 1;
const WRITE_BYTES = 256 * 1024;

/** `undefined` for a file that is missing, torn or of something else; the latter two are set aside. */
export async function loadFile<T extends ApiObject>(
  path: string,
  identity: FileIdentity,
  warn: (message: string, error?: unknown) => void,
): Promise<CheckpointState<T> | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (!isMissing(error)) warn(`${path} cannot be opened`, error);
    return undefined;
  }
  try {
    try {
      return await read<T>(file, identity);
    } finally {
      await file.close();
    }
  } catch (error) {
    const aside = `${path}.set-aside`;
    await rename(path, aside);
    warn(`${path} is not used and now ${aside}; it costs one list`, error);
    return undefined;
  }
}

async function read<T extends ApiObject>(
  file: FileHandle,
  identity: FileIdentity,
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

function readHeader(line: Buffer, identity: FileIdentity): Header {
  const header: Partial<Header> | null = JSON.parse(line.toString());
  if (header?.format !== FORMAT) throw new Error('the file is no checkpoint');
  const { version, versions, objects } = header;
  if (version !== VERSION) throw new Error(`the checkpoint has the format ${version}, not ${VERSION}`);
  const [is, wanted] = [identityText(header.identity), identityText(identity)];
  if (is !== wanted) throw new Error(`the checkpoint is of something else: ${is}, not ${wanted}`);
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

/** Written beside, flushed to the disk and renamed. */
export async function saveFile(
  path: string,
  identity: FileIdentity,
  { versions, size, objects }: CheckpointDraft,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    try {
      const header: Header = {
        format: FORMAT,
        version: VERSION,
        identity,
        versions: Object.fromEntries(versions),
        objects: size,
      };
      await writeLines(file, linesOf(header, objects));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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

/** Without it the rename itself may be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and does not need it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Members in one order, whoever wrote them. */
function identityText(identity: FileIdentity | undefined): string {
  return JSON.stringify(Object.entries(identity ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
