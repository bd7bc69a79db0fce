import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resolveInformerOptions } from '../packages/runtime/src/informer/informer-options.ts';
import { resolveWatcherOptions } from '../packages/runtime/src/watcher/watcher-options.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/reference/client-options.md'), 'utf8');

/** The rows of the page: an option and its default, by the interface that is their heading. */
const documented = new Map(
  page
    .split(/^### /mu)
    .slice(1)
    .map((section) => [/^`(\w+)`/u.exec(section)?.[1] ?? '', rowsOf(section)]),
);

function rowsOf(section: string): ReadonlyMap<string, string> {
  const rows = [...section.matchAll(/^\| (`[^|]+) \| ([^|]*) \|/gmu)];
  return new Map(
    rows.flatMap(([, names = '', text = '']) =>
      [...names.matchAll(/`(\w+)`/gu)].map(([, name = '']) => [name, text.trim()] as const),
    ),
  );
}

const sources = ['packages/client/src', 'packages/runtime/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8')),
);

/** The members of an interface with the default that their comment tells; '' where it tells none. */
function declared(name: string): ReadonlyMap<string, string> {
  const pattern = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'msu');
  const body = sources.map((text) => pattern.exec(text)?.[1]).find((text) => text !== undefined) ?? '';
  const members = body.matchAll(/(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?^ {2}readonly (\w+)\??:/gmsu);
  return new Map([...members].map(([, comment = '', member = '']) => [member, defaultIn(comment)]));
}

function defaultIn(comment: string): string {
  const text = comment.replaceAll(/\s*\n\s*\*\s*/gu, ' ').trim();
  return /Default: (.+?)(?:\.(?:\s|$)| \(|;|$)/u.exec(text)?.[1] ?? '';
}

/** The default of an option as a number: `90 000` is 90000. */
function numberOf(name: string, option: string): number {
  return Number(documented.get(name)?.get(option)?.replaceAll(' ', ''));
}

describe('docs/reference/client-options.md', () => {
  it.each([...documented.keys()])(
    'has every option of %s, no other, and the default that its comment tells',
    (name) => {
      const source = declared(name);
      const rows = documented.get(name) ?? new Map<string, string>();
      expect([...rows.keys()].toSorted()).toEqual([...source.keys()].toSorted());
      for (const [member, fallback] of source) {
        if (fallback !== '') expect(`${member}: ${rows.get(member)}`).toBe(`${member}: ${fallback}`);
      }
    },
  );

  it('has the numbers that the runtime really uses', () => {
    const { pageSize, timeoutSeconds, markerQuietMs, backoff } = resolveWatcherOptions({});
    const { syncTimeoutMs, checkpointIntervalMs } = resolveInformerOptions({});
    for (const [option, value] of Object.entries({ pageSize, timeoutSeconds, markerQuietMs })) {
      expect({ [option]: numberOf('WatcherOptions', option) }).toEqual({ [option]: value });
    }
    for (const [option, value] of Object.entries(backoff)) {
      expect({ [option]: numberOf('BackoffOptions', option) }).toEqual({ [option]: value });
    }
    for (const [option, value] of Object.entries({ syncTimeoutMs, checkpointIntervalMs })) {
      expect({ [option]: numberOf('InformerOptions', option) }).toEqual({ [option]: value });
    }
  });
});
