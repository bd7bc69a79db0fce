import { needs } from '@listwatch/conformance/parts';
import { KIND_TABLE, type KindData } from '@listwatch/kinds/data';
import { isRecord } from '@listwatch/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownDamages } from './damage/known-damages.ts';
import { KNOWN_MANIFESTS } from './damage/known-manifests.ts';
import { KINDS_NAMESPACE } from './kind-side.ts';
import { KindSides } from './kind-sides.ts';
import { type PublishedManifest, publishedManifests } from './published-manifests.ts';
import { SidesSurvey } from './sides-survey.ts';

/** A manifest whose kind both servers serve. */
interface ServedManifest extends PublishedManifest {
  readonly data: KindData;
}

function servedManifests(): readonly ServedManifest[] {
  return publishedManifests().flatMap((manifest) => {
    const data = KIND_TABLE.find(({ group, version, kind, verbs }) => {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      return apiVersion === manifest.apiVersion && kind === manifest.kind && verbs.includes('create');
    });
    return data === undefined || !data.verbs.includes('get') ? [] : [{ ...manifest, data }];
  });
}

function collectionOf({ group, version, plural, namespaced }: KindData): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${namespaced ? `namespaces/${KINDS_NAMESPACE}/` : ''}${plural}`;
}

/** The object in the namespace of the tests, without what only a server sets and with it. Nothing is left to chance. */
function forms({ object, data }: ServedManifest): readonly (readonly [string, object])[] {
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const { name, generateName, labels, annotations, namespace: _, resourceVersion: _version, ...others } = metadata;
  const place = data.namespaced ? { namespace: KINDS_NAMESPACE } : {};
  const own = { name: name ?? (generateName && 'generated'), labels, annotations, ...place };
  return [
    ['', { ...object, metadata: own }],
    ...(Object.keys(others).length === 0
      ? []
      : [[' with all metadata', { ...object, metadata: { ...own, ...others } }] as const]),
  ];
}

function byKind(all: readonly ServedManifest[]): ReadonlyMap<string, readonly ServedManifest[]> {
  const kinds = new Map<string, ServedManifest[]>();
  for (const manifest of all) {
    const title = `${manifest.apiVersion} ${manifest.kind}`;
    const known = kinds.get(title);
    if (known === undefined) kinds.set(title, [manifest]);
    else known.push(manifest);
  }
  return kinds;
}

describe('the manifests that Kubernetes publishes, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  let sides: KindSides;
  const manifests = byKind(servedManifests());

  beforeAll(async () => {
    sides = await KindSides.start();
  }, 120_000);
  afterAll(() => sides?.[Symbol.asyncDispose]());

  it('are there', () => {
    expect(manifests.size).toBeGreaterThan(30);
  });

  it.each([...manifests])('%s: each is answered alike', { timeout: 600_000 }, async (title, all) => {
    const known = knownDamages(KNOWN_MANIFESTS, title.split(' ')[1] ?? '');
    const requests = all
      .flatMap((manifest) =>
        forms(manifest).map(([form, body]) => ({ title: `${manifest.where}${form}`, body, manifest })),
      )
      .filter((request) => !known(request.title));
    const survey = new SidesSurvey(sides);
    await survey.send(requests, ({ title: where, body, manifest }) => ({
      title: where,
      request: { method: 'POST', path: `${collectionOf(manifest.data)}?dryRun=All`, body },
    }));
    survey.expectNoDifference();
  });
});
