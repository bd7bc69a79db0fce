/** Whether a file can be trusted: whoever owns it or may write to it decides what is in it. */

import { lstatSync, type Stats, statSync } from 'node:fs';

const OTHERS_WRITE = 0o022;

/**
 * Why others could have chosen what is in a file or folder: the path, the owner, the mode and what to do; undefined when
 * nobody could but this user and root, or when there is no such file. A link counts with what it leads to. Windows has
 * neither owners nor modes of this kind: nothing is said there.
 */
export function distrustOf(path: string, user: number | undefined = process.geteuid?.()): string | undefined {
  if (user === undefined) return undefined;
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : link;
  if (link === undefined || target === undefined) return undefined;
  const isForeign = [link, target].some(({ uid }) => uid !== user && uid !== 0);
  const facts = `${path} belongs to user ${foreignOwner(link, target, user)} and has mode ${modeOf(target)}`;
  if (isForeign) return `${facts}, and this is user ${user}; ${advice(path, `chown ${user} ${path}`)}`;
  if ((target.mode & OTHERS_WRITE) === 0) return undefined;
  return `${facts}: others can write to it; ${advice(path, `chmod go-w ${path}`)}`;
}

function foreignOwner(link: Stats, target: Stats, user: number): number {
  return link.uid === user || link.uid === 0 ? target.uid : link.uid;
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function advice(path: string, command: string): string {
  return `move ${path} away, or, if you know that it is yours, run: ${command}`;
}
