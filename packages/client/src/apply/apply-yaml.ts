/** Applies documents of any kind in the order in which they need each other. */

import { type ApiObject, isNotFound, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { isRecord } from '@listwatch/api/values';
import type { ApplyOptions, Cluster } from '../cluster.ts';
import { isNoMatch } from '../discovery/no-match-error.ts';
import { type RestMapper, restMapper } from '../discovery/rest-mapper.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { ApplyError, type FailedDocument } from './apply-error.ts';
import { type AppliedCluster, type ApplyOutcome, applyObject } from './apply-object.ts';
import { inInstallOrder } from './install-order.ts';
import { type Manifest, type ManifestSource, readManifests } from './manifest.ts';

/** What was done for one object. */
export interface AppliedDocument extends FailedDocument {
  readonly outcome: ApplyOutcome;
  /** As the server has it now. */
  readonly object: ApiObject;
}

/** Options of `applyYaml`. */
export interface ApplyYamlOptions extends Omit<ApplyOptions, 'subresource'> {
  /** For namespaced objects that name none. Default: that of the cluster. */
  readonly namespace?: string | undefined;
  /** Finds the resources of kinds; share one among calls to discover once. Default: a new one. */
  readonly mapper?: RestMapper | undefined;
  /** How long to wait for the server to serve a kind whose definition was just applied. Default: 30 000. */
  readonly kindTimeoutMs?: number | undefined;
  /** Called after each object, for progress. */
  readonly onApplied?: ((document: AppliedDocument) => void) | undefined;
}

/** What `applyYaml` needs of a cluster. */
export type YamlCluster = AppliedCluster & Pick<Cluster, 'clock' | 'namespace' | 'userAgent'>;

const OPTION_NAMES: OptionNames<ApplyYamlOptions> = {
  signal: true,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
  force: true,
  namespace: true,
  mapper: true,
  kindTimeoutMs: true,
  onApplied: true,
};

/**
 * Applies YAML or JSON of any number of documents, or objects: namespaces and custom types first, workloads later, webhooks last;
 * a `List` stands for its items. Everything is parsed, and every kind is looked up, before the first write. One object after the
 * other: by server-side apply, or, where the server does not have it, by creating or patching. Resolves to what was done, in
 * the order in which it was done. Rejects with a `TypeError` for documents that cannot be read, and with an `ApplyError` for
 * the first object that the server refuses.
 *
 * @example
 * for (const { kind, name, outcome } of await applyYaml(cluster, text)) console.log(kind, name, outcome);
 */
export async function applyYaml(
  cluster: YamlCluster,
  source: ManifestSource,
  options: ApplyYamlOptions = {},
): Promise<readonly AppliedDocument[]> {
  checkOptionNames('applyYaml', options, OPTION_NAMES);
  const { namespace, mapper, kindTimeoutMs = 30_000, onApplied, ...applyOptions } = options;
  if (!(kindTimeoutMs >= 0)) throw new RangeError(`kindTimeoutMs must be a time in milliseconds, not ${kindTimeoutMs}`);
  options.signal?.throwIfAborted();
  const documents = (await readManifests(source)).map(namedDocument);
  const run = new ApplyRun(cluster, mapper ?? restMapper(cluster), inInstallOrder(documents), {
    ...applyOptions,
    namespace: namespace ?? cluster.namespace,
    kindTimeoutMs,
    onApplied,
  });
  return run.run();
}

/** A manifest with its place and a name. */
interface NamedDocument extends FailedDocument {
  readonly manifest: Manifest;
}

function namedDocument(manifest: Manifest, index: number): NamedDocument {
  const { apiVersion, kind, metadata } = manifest;
  const { name, namespace } = metadata;
  if (name === undefined) throw new TypeError(`object ${index + 1}, a ${kind}, has no metadata.name`);
  return { index, apiVersion, kind, name, namespace, manifest };
}

type RunOptions = ApplyYamlOptions & { readonly kindTimeoutMs: number; readonly namespace: string };

const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 1000;

/** One call of `applyYaml`. */
class ApplyRun {
  readonly #cluster: YamlCluster;
  readonly #mapper: RestMapper;
  readonly #documents: readonly NamedDocument[];
  readonly #options: RunOptions;
  readonly #applied: AppliedDocument[] = [];
  /** Kinds that documents of this run define: the server serves them some time after that. */
  readonly #defined: ReadonlySet<string>;

  constructor(cluster: YamlCluster, mapper: RestMapper, documents: readonly NamedDocument[], options: RunOptions) {
    this.#cluster = cluster;
    this.#mapper = mapper;
    this.#documents = documents;
    this.#options = options;
    this.#defined = new Set(documents.flatMap(({ manifest }) => definedKinds(manifest)));
  }

  async run(): Promise<readonly AppliedDocument[]> {
    // A misspelt kind should not be found when half of the objects are there.
    for (const document of this.#documents) {
      if (!this.#isDefined(document)) await this.#orFail(document, () => this.#resourceOf(document));
    }
    for (const document of this.#documents) {
      const done = await this.#orFail(document, () => this.#apply(document));
      this.#applied.push(done);
      this.#options.onApplied?.(done);
    }
    return this.#applied;
  }

  async #orFail<V>(document: NamedDocument, work: () => Promise<V>): Promise<V> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      const { manifest: _, ...place } = document;
      throw new ApplyError(place, this.#applied, this.#documents.length, error);
    }
  }

  async #apply(document: NamedDocument): Promise<AppliedDocument> {
    const deadline = monotonicMs(this.#cluster.clock) + this.#options.kindTimeoutMs;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LAST_DELAY_MS)) {
      try {
        return await this.#applyNow(document, await this.#resourceOf(document));
      } catch (error) {
        // One of several servers may serve the new kind before the others do.
        const isEarly = this.#isDefined(document) && (isNoMatch(error) || isUnserved(error));
        if (!isEarly || monotonicMs(this.#cluster.clock) + delayMs > deadline) throw error;
        await sleep(this.#cluster.clock, delayMs, this.#options.signal);
        this.#mapper.invalidate();
      }
    }
  }

  async #applyNow({ manifest, ...place }: NamedDocument, resource: ServedResource): Promise<AppliedDocument> {
    const { fieldManager, force, dryRun, fieldValidation, signal } = this.#options;
    const { namespace: own, ...rest } = manifest.metadata;
    const namespace = resource.namespaced ? (own ?? this.#options.namespace) : undefined;
    const metadata = { ...rest, name: place.name, ...(namespace === undefined ? {} : { namespace }) };
    const options = { fieldManager, force, dryRun, fieldValidation, signal };
    const { object, outcome } = await applyObject(this.#cluster, resource, { ...manifest, metadata }, options);
    return { ...place, namespace, outcome, object };
  }

  #resourceOf({ apiVersion, kind }: FailedDocument): Promise<ServedResource> {
    return this.#mapper.kind(apiVersion, kind, { signal: this.#options.signal });
  }

  #isDefined({ apiVersion, kind }: FailedDocument): boolean {
    return this.#defined.has(`${apiVersion} ${kind}`);
  }
}

/** A 404 for the path, and not for the namespace. */
function isUnserved(error: unknown): boolean {
  return isNotFound(error) && error.status.details?.kind !== 'namespaces';
}

/** The kinds that a CustomResourceDefinition defines, one for each version. */
function definedKinds(manifest: Manifest): readonly string[] {
  if (manifest.kind !== 'CustomResourceDefinition' || !('spec' in manifest) || !isRecord(manifest.spec)) return [];
  const { group, names, versions } = manifest.spec;
  if (!isRecord(names) || !Array.isArray(versions)) return [];
  const all: readonly unknown[] = versions;
  return all.filter(isRecord).map(({ name }) => `${String(group)}/${String(name)} ${String(names['kind'])}`);
}
