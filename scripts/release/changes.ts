/** The files of `.changeset`, and what they make of a version and of the changelog. */

export const SIZES = ['patch', 'minor', 'major'] as const;
export type ChangeSize = (typeof SIZES)[number];

export interface Change {
  /** The packages that it changes. */
  readonly packages: Readonly<Record<string, ChangeSize>>;
  readonly text: string;
}

const FILE = /^---\r?\n(.*?)^---\r?\n(.*)$/msu;
const LINE = /^(['"]?)((?:@[\w-]+\/)?[\w-]+)\1: *(\w+)$/u;

/** Reads one file; `known` are the names of the public packages. */
export function parseChange(file: string, content: string, known: ReadonlySet<string>): Change {
  const [, head, body] = FILE.exec(content) ?? [];
  if (head === undefined || body === undefined) throw new TypeError(`${file} does not begin with packages between ---`);
  const packages: Record<string, ChangeSize> = {};
  for (const line of head.split('\n').filter((one) => one.trim() !== '')) {
    const [, , name = '', given = ''] = LINE.exec(line.trim()) ?? [];
    const size = SIZES.find((one) => one === given);
    if (size === undefined) throw new TypeError(`${file}: "${line}" is not 'PACKAGE': patch, minor or major`);
    if (!known.has(name)) throw new TypeError(`${file}: there is no public package ${name}`);
    packages[name] = size;
  }
  const text = body.trim();
  if (Object.keys(packages).length === 0 || text === '')
    throw new TypeError(`${file} names no package or says nothing`);
  return { packages, text };
}

/** The version after these changes. Before 1.0.0 a major change raises the second number, as npm's `^` expects. */
export function nextVersion(version: string, changes: readonly Change[]): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/u.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined)
    throw new TypeError(`${version} is not a version of three numbers`);
  if (changes.length === 0) return version;
  const size = largest(changes);
  if (size === 'major' && major > 0) return `${major + 1}.0.0`;
  if (size === 'patch') return `${major}.${minor}.${patch + 1}`;
  return `${major}.${minor + 1}.0`;
}

export interface ReleasedChangelog {
  readonly version: string;
  readonly changelog: string;
}

/**
 * CHANGELOG.md with a section for the next release, or undefined if there is nothing to release. A version that the changelog calls
 * unreleased gets its date, and the changes; else the changes make a new version.
 */
export function releaseChangelog(
  changelog: string,
  { current, date, changes }: { readonly current: string; readonly date: string; readonly changes: readonly Change[] },
): ReleasedChangelog | undefined {
  const unreleased = `## ${current} (unreleased)\n`;
  const [before = '', after] = changelog.split(unreleased);
  if (after !== undefined) {
    const [text = '', ...older] = after.split(/^(?=## )/mu);
    const parts = [`## ${current} (${date})`, text.trim(), changeList(changes)].filter((part) => part !== '');
    return { version: current, changelog: [`${before}${parts.join('\n\n')}\n`, ...older].join('\n') };
  }
  const version = nextVersion(current, changes);
  if (version === current) return undefined;
  const [head = '', ...sections] = changelog.split(/^(?=## )/mu);
  const section = `## ${version} (${date})\n\n${changeList(changes)}\n`;
  return { version, changelog: `${head}${[section, ...sections].join('\n')}` };
}

/** The largest changes first, each with the packages that it concerns. */
function changeList(changes: readonly Change[]): string {
  const titles = { major: 'Changes that break', minor: 'New', patch: 'Fixed' };
  const parts = SIZES.toReversed().flatMap((size) => {
    const ofSize = changes.filter((change) => largest([change]) === size);
    if (ofSize.length === 0) return [];
    const items = ofSize.map(({ packages, text }) => {
      const names = Object.keys(packages).map((name) => `\`${name}\``);
      return `- ${names.join(', ')}: ${text.replaceAll('\n', '\n  ')}`;
    });
    return [`### ${titles[size]}\n\n${items.join('\n')}`];
  });
  return parts.join('\n\n');
}

function largest(changes: readonly Change[]): ChangeSize {
  const sizes = new Set(changes.flatMap(({ packages }) => Object.values(packages)));
  return SIZES.findLast((size) => sizes.has(size)) ?? 'patch';
}
