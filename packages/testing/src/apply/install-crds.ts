/** Custom kinds for a test: their CRDs are created, and served when this has resolved. */

import { type ApiObject, resourcePath } from '@listwatch/api';
import { readManifestFiles } from '@listwatch/client';
import { type Manifest, readManifests } from '@listwatch/client/internal';
import { type ApplyParts, applyManifests } from './apply-manifests.ts';
import { requestJson, type Send } from './server-requests.ts';

/** A path of a file or a folder, a pattern (`config/crd/*.yaml`), or a CRD itself. */
export type CrdSource = string | object;

/** Longer than any machine takes: only a server that is stuck is given up. */
const LIMIT_MS = 30_000;

/** Changes definitions before they are created. */
export type AdaptCrds = (crds: readonly Manifest[]) => Promise<readonly Manifest[]>;

/** Throws a TypeError for sources without a CRD, and for one whose names are taken. */
export async function installCrds(
  parts: ApplyParts,
  sources: readonly CrdSource[],
  adapt?: AdaptCrds,
): Promise<readonly ApiObject[]> {
  const found = (await Promise.all(sources.map(crdsOf))).flat();
  const crds = await applyManifests(parts, adapt === undefined ? found : await adapt(found));
  return Promise.all(crds.map((crd) => untilServed(parts.send, crd)));
}

async function crdsOf(source: CrdSource): Promise<readonly Manifest[]> {
  const objects = await manifestsOf(source);
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  if (crds.length > 0) return crds;
  throw new TypeError(`there is no CustomResourceDefinition in ${typeof source === 'string' ? source : 'the object'}`);
}

/** The objects of a source. */
export async function manifestsOf(source: CrdSource): Promise<readonly Manifest[]> {
  if (typeof source !== 'string') return readManifests(source);
  return (await readManifestFiles(source)).map(({ object }) => object);
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** By the machine's time: that of the test may stand still. */
async function untilServed(send: Send, { metadata: { name } }: ApiObject): Promise<ApiObject> {
  const path = resourcePath(DEFINITIONS, { name });
  const start = performance.now();
  for (;;) {
    const crd = await requestJson(send, 'GET', path);
    const conditions: readonly Condition[] = Object(Object(crd)['status'])['conditions'] ?? [];
    const is = (type: string, status: string): Condition | undefined =>
      conditions.find((condition) => condition.type === type && condition.status === status);
    if (is('Established', 'True') !== undefined) return Object(crd);
    const refused = is('NamesAccepted', 'False');
    if (refused !== undefined)
      throw new TypeError(`${name} is not served: ${refused.message ?? 'its names are taken'}`);
    if (performance.now() - start > LIMIT_MS) throw new TypeError(`${name} is not served: it was not established`);
    await new Promise<void>((next) => setTimeout(next, 1));
  }
}

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
