import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../packages/server/src', import.meta.url));

/**
 * V8 makes a hidden class for each object that a literal with an accessor makes, and that class holds the closure until the next full
 * collection: an object of each request would keep the whole request in memory. Only these, of which there are few, may have some. By name,
 * for files move.
 */
const OF_FEW_OBJECTS: Readonly<Record<string, string>> = {
  'create-api-server.ts': 'one for each server',
  'custom-versions.ts': 'one for each definition',
  'held-request.ts': 'one for each server',
  'write-job.ts': 'large writes, whose worker ends',
};

const ACCESSOR = /^( *)[gs]et \w+\(/u;

/** Has the file a literal with an accessor? The line that opens the braces around it is the next above with less indentation. */
function hasOwnAccessor(source: string): boolean {
  const lines = source.split('\n');
  return lines.some((line, at) => {
    const indent = ACCESSOR.exec(line)?.[1]?.length;
    if (indent === undefined) return false;
    const opening = lines.slice(0, at).findLast((before) => before.trim() !== '' && before.search(/\S/u) < indent);
    return opening !== undefined && !/\b(?:class|extends|implements|interface)\b/u.test(opening);
  });
}

it('objects that the server makes for a request have no accessors of their own: those are in classes', () => {
  const found = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|test-d|fixture)\.ts$/u.test(name))
    .filter((name) => hasOwnAccessor(readFileSync(join(SOURCE, name), 'utf8')))
    .map((name) => basename(name));
  expect(found.toSorted()).toEqual(Object.keys(OF_FEW_OBJECTS));
});
