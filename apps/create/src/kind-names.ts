export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** What no constant may be called, whatever the template has in it. */
const RESERVED =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
  'function globalThis if implements import in instanceof interface let new null package private protected public return static super ' +
  'switch this throw true try typeof undefined var void while with yield';

/**
 * The constant and the file of a kind: `backupPolicy`, or `operatorKind` where the template has an `operator` already. Every word of
 * the template counts as a name, also one of a comment or of an import that is added later: a name too long is better than a project
 * that does not compile.
 */
export function constantOf(kind: string, files: readonly TemplateFile[]): string {
  const taken = new Set([
    ...RESERVED.split(' '),
    ...files.flatMap(({ path, text }) => [...wordsOf(path), ...wordsOf(text)]),
  ]);
  let name = `${kind.slice(0, 1).toLowerCase()}${kind.slice(1)}`;
  while (taken.has(name)) name += 'Kind';
  return name;
}

/** Whether the type of the kind would have the name of a type that the files beside it use. */
export function isTypeTaken(kind: string, files: readonly TemplateFile[]): boolean {
  if (kind === 'Website') return false;
  return files
    .map(({ text }) => new Set(wordsOf(codeOf(text))))
    .some((words) => words.has('Website') && words.has(kind));
}

/** The words, without those that the template has for its own kind. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/[\w$]+/gu) ?? []).filter((word) => word === 'Website' || !/website/iu.test(word));
}

/** Without comments and texts. */
function codeOf(source: string): string {
  return source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/gsu, '');
}
