/** Whether a file can be trusted: whoever owns it or may write to it decides what is in it. */

import { lstatSync, type Stats, statSync } from 'node:fs';

const OTHERS_WRITE = 0o022;

/**
 * Why others could have chosen what is in a file or folder: the path, the owner, the mode and what to do; undefined when
 * nobody could but this user and root, or when there is no such file. A link counts with what it leads to. Windows has
 * neither owners nor modes of this kind: nothing is said there.
 */
export function distrustOf(path: string, user: number | undefined = process.geteuid?.()): string | undefined {
  const file = ownedFile(path);
  if (user === undefined || file === undefined) return undefined;
  const foreign = foreignDistrust(path, file, user);
  if (foreign !== undefined || (file.target.mode & OTHERS_WRITE) === 0) return foreign;
  return `${factsOf(path, file, user)}: others can write to it; ${advice(path, `chmod go-w ${path}`)}`;
}

/**
 * Why a folder is not one in which root may keep its keys: another user owns it, and can put other files in the place of ours at any time.
 * Undefined for any other user, who may be given a volume that belongs to somebody else, and cannot be lent the rights of root.
 */
export function foreignFolderOf(path: string, user: number | undefined = process.geteuid?.()): string | undefined {
  const file = ownedFile(path);
  return user !== 0 || file === undefined ? undefined : foreignDistrust(path, file, user);
}

interface OwnedFile {
  readonly link: Stats;
  /** What the link leads to; itself, when it is none. */
  readonly target: Stats;
}

function ownedFile(path: string): OwnedFile | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : link;
  return link === undefined || target === undefined ? undefined : { link, target };
}

function foreignDistrust(path: string, file: OwnedFile, user: number): string | undefined {
  if ([file.link, file.target].every(({ uid }) => uid === user || uid === 0)) return undefined;
  return `${factsOf(path, file, user)}, and this is user ${user}; ${advice(path, `chown ${user} ${path}`)}`;
}

function factsOf(path: string, { link, target }: OwnedFile, user: number): string {
  const owner = link.uid === user || link.uid === 0 ? target.uid : link.uid;
  return `${path} belongs to user ${owner} and has mode ${(target.mode & 0o7777).toString(8).padStart(4, '0')}`;
}

function advice(path: string, command: string): string {
  return `move ${path} away, or, if you know that it is yours, run: ${command}`;
}
