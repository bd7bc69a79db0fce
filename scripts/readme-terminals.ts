/** The commands that README.md begins with, by terminal: a comment says where a new one is opened. */
export function terminalsOf(readme: string): readonly (readonly string[])[] {
  const [, after = ''] = readme.split('**In thirty seconds**');
  const [block = ''] = /^ {4}\S.*\n(?: {4}\S.*\n)*/mu.exec(after) ?? [];
  const terminals: string[][] = [[]];
  for (const line of block.split('\n').filter(Boolean)) {
    const [command = '', comment = ''] = line.trim().split(/\s+# /u);
    if (/\bin a (?:second|third)\b/u.test(comment)) terminals.push([]);
    terminals.at(-1)?.push(command);
  }
  return terminals;
}
