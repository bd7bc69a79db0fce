/** The metrics of several processes as one answer. */

const FAMILY = /^# (?:HELP|TYPE) (\S+)/u;
const SAMPLE = /^[A-Za-z_:][\w:]*/u;

/**
 * Adds the samples of readers to those of the primary, each with a label `reader`: sums are the business of who asks. The samples of a
 * metric must stand together, whoever they are from.
 */
export function mergedMetrics(own: string, readers: ReadonlyMap<string, string>): string {
  const families = new Map<string, string[]>();
  addTo(families, own, undefined);
  for (const [reader, text] of readers) addTo(families, text, reader);
  return [...families.values()].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function addTo(families: Map<string, string[]>, text: string, reader: string | undefined): void {
  let family: string[] | undefined;
  let isNew = true;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const name = FAMILY.exec(line)?.[1];
    if (name !== undefined && line.startsWith('# HELP')) {
      family = families.get(name);
      isNew = family === undefined;
      if (family === undefined) families.set(name, (family = []));
    }
    if (family === undefined) families.set(line, (family = []));
    if (!line.startsWith('#')) family.push(reader === undefined ? line : labelled(line, reader));
    else if (isNew) family.push(line);
  }
}

function labelled(sample: string, reader: string): string {
  const label = `reader="${reader}"`;
  const [name = ''] = SAMPLE.exec(sample) ?? [];
  const rest = sample.slice(name.length);
  return rest.startsWith('{') ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}
