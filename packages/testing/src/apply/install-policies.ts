/** Admission policies for a test: they are in effect when this has resolved. */

import { type ApiObject, resourcePath } from '@listwatch/api';
import type { Manifest } from '@listwatch/client/internal';
import { type ApplyParts, applyManifests } from './apply-manifests.ts';
import { type AdaptCrds, type CrdSource, installCrds, manifestsOf } from './install-crds.ts';
import { requestJson } from './server-requests.ts';

/** A path of a file or a folder, a pattern (`policies/*.yaml`), or objects themselves. */
export type PolicySource = CrdSource;

/** What bindings refer to comes first: kinds, parameters, policies. */
function rank({ kind }: Manifest): number {
  if (kind.endsWith('AdmissionPolicyBinding')) return 2;
  return kind.endsWith('AdmissionPolicy') ? 1 : 0;
}

/** Throws a TypeError for sources without a policy and a binding. */
export async function installPolicies(
  parts: ApplyParts,
  sources: readonly PolicySource[],
  adapt?: AdaptCrds,
): Promise<readonly ApiObject[]> {
  const found = (await Promise.all(sources.map(manifestsOf))).flat();
  if (!found.some((manifest) => rank(manifest) > 0))
    throw new TypeError('there is no policy and no binding in the sources of policies');
  const crds = found.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const others = found.filter(({ kind }) => kind !== 'CustomResourceDefinition');
  const installed = await installCrds(parts, crds, adapt);
  const applied = await applyManifests(
    parts,
    others.toSorted((one, other) => rank(one) - rank(other)),
  );
  for (const object of applied) await untilCached(parts, object);
  return [...installed, ...applied];
}

/** Policies and their parameters are read from the caches of the server: a list at this version waits for them. */
async function untilCached({ send, kinds }: ApplyParts, { apiVersion, kind, metadata }: ApiObject): Promise<void> {
  const resource = await kinds.kind(apiVersion ?? '', kind ?? '');
  const query = `resourceVersion=${metadata.resourceVersion ?? ''}&resourceVersionMatch=NotOlderThan&limit=1`;
  await requestJson(send, 'GET', `${resourcePath(resource, { namespace: metadata.namespace })}?${query}`);
}
