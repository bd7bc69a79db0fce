/** What went wrong with a file or another thing of the system, in words. */

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EEXIST', 'a file is in its place'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENAMETOOLONG', 'the name is too long'],
]);

/** The code of a failed system call; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Is this the error of a server that cannot have its port? */
export function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

/** The reason of a failed system call in words; of any other error its message. */
export function explainFileError(error: unknown): string {
  const known = WORDS.get(systemErrorCode(error) ?? '');
  return known ?? (error instanceof Error ? error.message : String(error));
}
