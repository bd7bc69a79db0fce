/** The managedFields in what kubectl prints as YAML, without the order that the clock gives them; no test itself, and not shipped. */

interface PrintedEntry {
  readonly lines: readonly string[];
  /** By which servers sort, the most important first. */
  readonly keys: readonly string[];
}

/**
 * The same output with the entries of each list of managedFields sorted by operation, manager, version and subresource. Servers sort by operation and time
 * first, so that two managers stand in another order when a second ends between their writes; that would differ from run to run. An output that is
 * not sorted as servers sort is an error: the order is compared here, and nowhere else.
 */
export function withSortedManagers(output: string): string {
  const lines = output.split('\n');
  const sorted: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    sorted.push(line);
    at += 1;
    const indent = /^([ -]*)managedFields:$/u.exec(line)?.[1]?.length;
    if (indent === undefined) continue;
    const end = endOfList(lines, at, indent);
    const entries = entriesOf(lines.slice(at, end), indent);
    mustBeSorted(entries);
    sorted.push(...entries.toSorted(byManager).flatMap((entry) => entry.lines));
    at = end;
  }
  return sorted.join('\n');
}

function endOfList(lines: readonly string[], from: number, indent: number): number {
  const inside = [' '.repeat(indent + 1), `${' '.repeat(indent)}- `];
  const end = lines.findIndex((line, index) => index >= from && !inside.some((start) => line.startsWith(start)));
  return end === -1 ? lines.length : end;
}

function entriesOf(lines: readonly string[], indent: number): readonly PrintedEntry[] {
  const starts = lines.flatMap((line, index) => (line[indent] === '-' ? [index] : []));
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1]);
    const member = (name: string): string =>
      own.find((line) => line.slice(indent + 2).startsWith(`${name}: `))?.slice(indent + name.length + 4) ?? '';
    return { lines: own, keys: ['operation', 'time', 'manager', 'apiVersion', 'subresource'].map(member) };
  });
}

function mustBeSorted(entries: readonly PrintedEntry[]): void {
  entries.forEach((entry, index) => {
    const before = entries[index - 1];
    if (before !== undefined && compareKeys(before.keys, entry.keys) > 0)
      throw new Error(`managedFields out of order: ${before.keys.join(' ')} before ${entry.keys.join(' ')}`);
  });
}

function byManager(one: PrintedEntry, other: PrintedEntry): number {
  const withoutTime = ({ keys }: PrintedEntry): readonly string[] => keys.filter((_, index) => index !== 1);
  return compareKeys(withoutTime(one), withoutTime(other));
}

/** As Go compares text; all of it is ASCII. */
function compareKeys(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  const [a = '', b = ''] = [one[at], other[at]];
  return a < b ? -1 : a > b ? 1 : 0;
}
