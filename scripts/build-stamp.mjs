// What the build was made of: says whether it is still that, and if not, why.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = 'node_modules/.cache/listwatch-build.json';
const UNFINISHED = 'the last build did not end';

const FILES = [
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'apps/console/build-page.mjs',
];
const FOLDERS = ['src', 'page'];
const MANIFESTS = ['package.json', 'tsconfig.json'];
/** No part of any build. */
const UNBUILT = /\.(?:test|test-d|fixture)\.tsx?$/u;

/** The hash of every file that the build reads. By content: a checkout changes the times of files that are as they were. */
export function sourcesOf(root = ROOT) {
  const parts = ['packages', 'apps'].flatMap((area) => readdirSync(join(root, area)).map((name) => join(area, name)));
  const found = [
    ...FILES,
    ...parts.flatMap((part) => MANIFESTS.map((name) => join(part, name))),
    ...parts.flatMap((part) => FOLDERS.flatMap((folder) => filesBelow(root, join(part, folder)))),
  ].filter((path) => existsSync(join(root, path)) && !UNBUILT.test(path));
  return Object.fromEntries(found.toSorted().map((path) => [path, hashOf(join(root, path))]));
}

/** Why the build cannot be used; undefined when it can. `outputs` are files that it must have. */
export function staleness(sources, outputs, root = ROOT) {
  const stamp = join(root, STAMP);
  const before = readStamp(stamp);
  if (before === undefined) return outputs.some((path) => existsSync(path)) ? UNFINISHED : 'there is no build yet';
  const missing = outputs.find((path) => !existsSync(path));
  if (missing !== undefined) return `${relative(root, missing)} is missing`;
  const names = [...new Set([...Object.keys(before), ...Object.keys(sources)])];
  const changed = names.filter((name) => before[name] !== sources[name]);
  if (changed.length === 0) return undefined;
  const more = changed.length === 1 ? '' : ` and ${changed.length - 1} more`;
  return `changed since the last build: ${changed[0]}${more}`;
}

/**
 * Notes that a build begins. Without it an interrupted build would pass for the one before it as soon as the sources are again as they
 * were then.
 */
export function removeStamp(root = ROOT) {
  rmSync(join(root, STAMP), { force: true });
}

/** Notes that the build was made of these sources. */
export function writeStamp(sources, root = ROOT) {
  const stamp = join(root, STAMP);
  mkdirSync(dirname(stamp), { recursive: true });
  // Renamed, so that there is never half a stamp.
  const unfinished = `${stamp}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(sources));
  renameSync(unfinished, stamp);
}

/** Undefined: there is none, or none that can be read. */
function readStamp(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')) ?? undefined;
  } catch {
    return undefined;
  }
}

function filesBelow(root, folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(join(root, name)).isFile());
}

function hashOf(path) {
  return createHash('sha1').update(readFileSync(path)).digest('base64');
}
