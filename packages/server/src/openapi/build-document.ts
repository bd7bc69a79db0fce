/** Makes a document from its plan, a few paths in each turn of the event loop. */

import { type KindData, KUBERNETES_VERSION } from '@listwatch/kinds/data';
import { describeKind } from '@listwatch/kinds/descriptions';
import { OpenApiComponents, type OpenApiVersion, type SchemaSet } from '@listwatch/schema';
import { justPause } from '../contract/pause.ts';
import type { ComponentOrder, EncodeComponent } from './component-job.ts';
import { customPaths, customRefs, type PublishedCustomKind } from './custom-paths.ts';
import type { DocumentForm } from './document-form.ts';
import type { DocumentPlan } from './document-plan.ts';
import { encodedPart } from './encoded-part.ts';
import { customDocument, documentOfVersion2, documentOfVersion3 } from './openapi-document.ts';
import { pathOfVersion2 } from './openapi-v2.ts';
import { pathOfVersion3 } from './openapi-v3.ts';
import { publishedKinds } from './published-kinds.ts';

/** A definition of this size is parsed, and its schema shown, in a few milliseconds. */
const LARGE_DEFINITION_BYTES = 64 * 1024;

/** What a document is made of. */
export interface DocumentSource {
  readonly set: SchemaSet;
  /** All kinds that are served: a schema names its kind also in documents of other groups. */
  readonly kinds: readonly KindData[];
  readonly elsewhere?: EncodeComponent | undefined;
}

/** The document as plain JSON. */
export async function buildDocument(
  { set, kinds, elsewhere }: DocumentSource,
  plan: DocumentPlan,
  version: OpenApiVersion,
  form: DocumentForm,
): Promise<object> {
  const published = publishedKinds(kinds, plan.versions);
  const components = new OpenApiComponents(set, {
    version,
    kindsOf: (type) => published.get(type) ?? [],
    describe: describeKind,
  });
  const write = version === 2 ? pathOfVersion2 : pathOfVersion3;
  const paths: [string, object][] = [];
  for (const maker of plan.makers) {
    for (const path of maker(set)) paths.push([path.path, write(path, components)]);
    await justPause();
  }
  for (const custom of plan.customs ?? []) {
    const order = componentOrder(custom, version, form);
    const isLarge = order.definition.length > LARGE_DEFINITION_BYTES;
    const part = isLarge && elsewhere !== undefined ? encodedPart(await elsewhere(order)) : undefined;
    const refs = customRefs(components, order, custom.data, part);
    for (const path of customPaths(set, custom)) paths.push([path.path, write(path, refs)]);
    await justPause();
  }
  const sorted = Object.fromEntries(paths.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  if (plan.makers.length === 0) return customDocument(sorted, components.schemas());
  const document = version === 2 ? documentOfVersion2 : documentOfVersion3;
  return document(KUBERNETES_VERSION.replace(/^v(\d+\.\d+).*$/u, '$1'), sorted, components.schemas());
}

function componentOrder(custom: PublishedCustomKind, openApi: OpenApiVersion, form: DocumentForm): ComponentOrder {
  const { group, version, kind, plural } = custom.data;
  return { definition: custom.definition(), group, version, kind, plural, listKind: custom.listKind, openApi, form };
}
