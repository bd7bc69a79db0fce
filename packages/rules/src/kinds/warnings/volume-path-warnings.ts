/** Warnings about files of a volume whose paths are equal or nested. */

import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemWarnings, NONE, WARNINGS_MAX } from './item-warnings.ts';

interface VolumePath {
  readonly path: string;
  /** The source of the file, in a volume with several sources. */
  readonly source: string;
}

/** The warnings about the volumes of a Pod. */
export function overlapWarnings(spec: JsonRecord): readonly string[] {
  return itemWarnings(recordsOf(spec['volumes']), volumeOverlaps);
}

/** The sources whose files have paths. */
const WITH_PATHS = ['configMap', 'secret', 'downwardAPI', 'projected'];

function volumeOverlaps(volume: JsonRecord): Iterable<string> {
  return WITH_PATHS.some((name) => hasPaths(recordOf(volume[name]))) ? sourceOverlaps(volume) : NONE;
}

function hasPaths({ items, sources }: JsonRecord): boolean {
  return items !== undefined || sources !== undefined;
}

function* sourceOverlaps({ name: given, ...volume }: JsonRecord): Generator<string, undefined> {
  const name = JSON.stringify(textOf(given));
  const { configMap, secret, downwardAPI, projected } = volume;
  const sources: readonly (readonly [unknown, string])[] = [
    [configMap, `ConfigMap ${JSON.stringify(textOf(recordOf(configMap)['name']))}`],
    [secret, `Secret ${JSON.stringify(textOf(recordOf(secret)['secretName']))}`],
    [downwardAPI, 'DownwardAPI'],
  ];
  for (const [source, shown] of sources) yield* overlaps(itemPaths(source, ''), `volume ${name} (${shown})`);
  const paths: VolumePath[] = [];
  for (const source of recordsOf(recordOf(projected)['sources'])) {
    if (Object.keys(source).length === 0) yield `volume ${name} (Projected) has no sources provided`;
    paths.push(...projectedPaths(source));
  }
  yield* overlaps(paths, `volume ${name} (Projected)`);
}

function itemPaths(source: unknown, shown: string): readonly VolumePath[] {
  return recordsOf(recordOf(source)['items']).map(({ path }) => ({ path: textOf(path), source: shown }));
}

function named(kind: string, field: unknown): string {
  return `${kind} ${JSON.stringify(textOf(recordOf(field)['name']) || textOf(recordOf(field)['signerName']))}`;
}

function projectedPaths(source: JsonRecord): readonly VolumePath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  if (configMap !== undefined) return itemPaths(configMap, named('ConfigMap', configMap));
  if (secret !== undefined) return itemPaths(secret, named('Secret', secret));
  if (downwardAPI !== undefined) return itemPaths(downwardAPI, 'DownwardAPI');
  if (serviceAccountToken !== undefined) {
    return [{ path: textOf(recordOf(serviceAccountToken)['path']), source: 'ServiceAccountToken' }];
  }
  if (clusterTrustBundle === undefined) return [];
  const path = textOf(recordOf(clusterTrustBundle)['path']);
  return [{ path, source: named('ClusterTrustBundle', clusterTrustBundle) }];
}

/** Looks up each path and the folders above it: comparing all pairs of thousands of paths would take seconds. */
function overlaps(paths: readonly VolumePath[], volume: string): readonly string[] {
  const files = new Map<string, number[]>();
  const folders = new Map<string, number[]>();
  return itemWarnings(paths, ({ path: given, source }, index) => {
    const path = withoutSlashes(given);
    if (path === '') return [];
    const above = foldersOf(path);
    const found = [path, ...above].flatMap((one) => files.get(one) ?? []).concat(folders.get(path) ?? []);
    add(files, path, index);
    for (const folder of above) add(folders, folder, index);
    const first = found.toSorted((left, right) => left - right).slice(0, WARNINGS_MAX);
    return first.map((other) => {
      const before = paths[other] ?? { path: '', source: '' };
      return `${volume}: overlapping paths: ${pathText({ path, source })} with ${pathText(before)}`;
    });
  });
}

/** The maximum depth to compare. No path in a real file system is deeper. */
const DEPTH_MAX = 100;

function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1 && folders.length < DEPTH_MAX; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

function add(places: Map<string, number[]>, path: string, index: number): void {
  const known = places.get(path);
  if (known === undefined) places.set(path, [index]);
  else known.push(index);
}

function pathText({ path, source }: VolumePath): string {
  const shown = JSON.stringify(withoutSlashes(path));
  return source === '' ? shown : `${shown} (${source})`;
}

/** Without the slashes at its end. A regular expression would start at each of a million slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
