/** The manifests in the Go modules that Kubernetes publishes, as they lie in the module cache of this machine. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord } from '@listwatch/schema';
import { parseYaml } from '../src/write/body/yaml-body.ts';

/** An object of a manifest. */
export interface PublishedManifest {
  /** The file below the cache. */
  readonly where: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Longer files are generated, such as the OpenAPI documents. */
const FILE_MAX = 200_000;

/** All objects of all modules below `k8s.io` that are there; the same object is given once. */
export function publishedManifests(): readonly PublishedManifest[] {
  const root = join(moduleCache(), 'k8s.io');
  const found = new Map<string, PublishedManifest>();
  for (const folder of existsSync(root) ? readdirSync(root) : []) {
    for (const path of filesOf(join(root, folder))) {
      for (const object of objectsIn(path)) {
        const { apiVersion, kind } = object;
        if (typeof apiVersion !== 'string' || typeof kind !== 'string') continue;
        found.set(JSON.stringify(object), { where: path.slice(root.length + 1), apiVersion, kind, object });
      }
    }
  }
  return [...found.values()];
}

function moduleCache(): string {
  const { GOMODCACHE } = process.env;
  if (GOMODCACHE !== undefined && GOMODCACHE !== '') return GOMODCACHE;
  return spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isManifest)
    .map((path) => join(folder, path));
}

function isManifest(path: string): boolean {
  return /\.(?:json|ya?ml)$/u.test(path) && !isLeftOut(path);
}

/** Each object of `testdata` is there as JSON and as YAML, and again for releases of the past. */
function isLeftOut(path: string): boolean {
  return /testdata\/v\d/u.test(path) || (/testdata\/HEAD/u.test(path) && path.endsWith('.yaml'));
}

function objectsIn(path: string): readonly Readonly<Record<string, unknown>>[] {
  const bytes = readFileSync(path);
  if (bytes.length > FILE_MAX) return [];
  const documents = basename(path).endsWith('.json') ? [bytes.toString()] : bytes.toString().split(/^---.*$/mu);
  return documents.flatMap((text) => {
    const value = readable(text);
    if (!isRecord(value)) return [];
    return Array.isArray(value['items']) && String(value['kind']).endsWith('List')
      ? value['items'].filter(isRecord)
      : [value];
  });
}

/** Templates and files that are wrong on purpose cannot be read. */
function readable(text: string): unknown {
  try {
    return parseYaml(Buffer.from(text)).value;
  } catch {
    return undefined;
  }
}
