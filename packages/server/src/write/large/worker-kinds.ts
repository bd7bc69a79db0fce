/** The kinds as the worker knows them: its own built-in ones, custom ones from the bytes of their definitions. */

import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { BUILT_IN_KINDS, EMBEDDED_METADATA } from '@listwatch/rules/internal';
import { CustomSchema, celRules } from '@listwatch/schema';
import type { JobContext } from '../../compute/compute-job.ts';
import type { WriteAttempt } from '../../contract/large-work.ts';
import type { ServedKinds } from '../../contract/verb.ts';
import { definitionSchema, readDefinition } from '../../kinds/crd/custom-definition.ts';
import { parseStored } from '../../kinds/crd/custom-form.ts';
import { customKinds } from '../../kinds/crd/custom-versions.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { createRegistry, type ResourceRegistry } from '../../kinds/resource-registry.ts';
import { withTlsPairWarnings } from '../../kinds/tls-pair-warnings.ts';

let builtIn: Promise<ResourceRegistry> | undefined;

/** The kind that is written, loaded, and how others are found. */
export async function workerKinds(
  { group, version, plural }: WriteAttempt['resource'],
  definitionKey: string | undefined,
  { shared }: Pick<JobContext, 'shared'>,
): Promise<{ readonly definition: ResourceDefinition; readonly find: ServedKinds['find'] }> {
  builtIn ??= loadBuiltIn();
  const { find } = await builtIn;
  const definition =
    definitionKey === undefined
      ? find(group, version, plural)
      : shared(definitionKey, customVersions).find(({ resource }) => resource.version === version);
  if (definition === undefined) throw new TypeError(`the worker does not know ${plural}.${group} in ${version}`);
  await definition.load();
  return { definition, find };
}

/** The schemas of kinds that convert are needed without a wait. */
async function loadBuiltIn(): Promise<ResourceRegistry> {
  const registry = createRegistry(withTlsPairWarnings(BUILT_IN_KINDS));
  const converted = [...registry].filter(({ convert }) => convert !== undefined);
  await BUILT_IN_SCHEMAS.loadAll(converted.map(({ data }) => data.type));
  return registry;
}

function customVersions(bytes: Uint8Array): readonly ResourceDefinition[] {
  const object = parseStored(bytes);
  const definition = readDefinition(object);
  if (definition === undefined) return [];
  return customKinds(definition, {
    schemaOf: (version) => new CustomSchema(() => definitionSchema(object, version), EMBEDDED_METADATA),
    since: 0n,
    rules: celRules,
    isTerminating: () => definition.isTerminating,
    hasDeadline: true,
  });
}
