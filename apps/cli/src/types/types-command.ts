/** `listwatch types`: writes the TypeScript types of CRDs. */

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Cluster, connect, readManifestFiles } from '@listwatch/client';
import { customResourceDefinitions } from '@listwatch/kinds';
import { typesOfDefinitions } from '@listwatch/kinds/author';
import { connectionOf } from '../cluster/connection.ts';
import { explainNoAnswer } from '../cluster/explain-refusal.ts';
import { type Connect, openCluster } from '../cluster/open-cluster.ts';
import { explainFileError } from '../file-error.ts';
import type { Host } from '../host.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import type { TypesFlags } from './types-flags.ts';

/** A CRD, before anything of it was checked. */
interface NamedObject {
  readonly metadata: { readonly name?: string };
}

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` for what cannot be read. */
export async function types(flags: TypesFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  if (flags.cluster === true && flags.paths.length > 0) throw new UsageError('--cluster cannot be combined with files');
  if (flags.cluster !== true && flags.paths.length === 0) {
    throw new UsageError('types needs a file or a folder with CRDs, or --cluster');
  }
  const found =
    flags.cluster === true ? await crdsOfCluster(flags, host, connectTo) : await crdsOfFiles(flags.paths, host);
  const chosen = choose(found, flags.only);
  if (chosen.length === 0) throw new StartError('there is no CustomResourceDefinition');
  write(textOf(chosen), flags.output, host);
  await host.stdout.drained();
  return 0;
}

async function crdsOfFiles(paths: readonly string[], host: Host): Promise<readonly NamedObject[]> {
  try {
    const files = await Promise.all(paths.map((path) => readManifestFiles(path, host.folder)));
    return files
      .flat()
      .map(({ object }) => object)
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
  } catch (error) {
    if (error instanceof TypeError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

async function crdsOfCluster(flags: TypesFlags, host: Host, connectTo: Connect): Promise<readonly NamedObject[]> {
  await using cluster: Cluster = await openCluster(
    connectTo,
    connectionOf(flags, host.folder, 'listwatch-types'),
    host,
  );
  try {
    return (await cluster.list(customResourceDefinitions)).items;
  } catch (error) {
    const reason = explainNoAnswer(error, { server: cluster.server, what: 'list customresourcedefinitions' });
    if (reason === undefined) throw error;
    throw new StartError(reason, { cause: error });
  }
}

/** Throws a `UsageError` for a name that is not there: a typing error must not give an empty file. */
function choose(found: readonly NamedObject[], only: string | undefined): readonly NamedObject[] {
  if (only === undefined) return found;
  const names = only.split(',').map((name) => name.trim());
  return names.map((name) => {
    const crd = found.find(({ metadata }) => metadata.name === name);
    if (crd === undefined) throw new UsageError(`--only names ${JSON.stringify(name)}, which is not there`);
    return crd;
  });
}

function textOf(crds: readonly NamedObject[]): string {
  try {
    return typesOfDefinitions(crds);
  } catch (error) {
    if (error instanceof TypeError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

function write(text: string, output: string | undefined, host: Host): void {
  if (output === undefined) return host.stdout.write(text);
  try {
    writeFileSync(resolve(host.folder, output), text);
  } catch (error) {
    throw new StartError(`${output} cannot be written: ${explainFileError(error)}`, { cause: error });
  }
}
