/** Kubeconfig files, merged as kubectl merges them, or a kubeconfig from text. */

import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { isRecord } from '@listwatch/api/values';
import { ConfigError } from './config-error.ts';
import { isMissing, readConfigText } from './read-config-file.ts';
import { parseYamlNode, type YamlNode } from './yaml-node.ts';

/** One context with the cluster and the user that it names; paths in them are relative to the files they stand in. */
export interface KubeContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: YamlNode;
  /** Absent: a context without a user asks as nobody. */
  readonly user: { readonly name: string; readonly node: YamlNode } | undefined;
}

export interface LoadKubeconfigOptions {
  /** This file alone, and it must exist. Default: those of `KUBECONFIG`, else `~/.kube/config`. */
  readonly path?: string | undefined;
  /** The kubeconfig itself, from a secret or an environment variable. No file is looked for. */
  readonly text?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The name of a text in messages. */
const TEXT_NAME = 'the kubeconfig text';

/** The merged files, or the text. */
export class Kubeconfig {
  /** Those that were found; none for a text. */
  readonly files: readonly string[];
  readonly #tops: readonly YamlNode[];

  constructor(tops: readonly YamlNode[]) {
    this.#tops = tops;
    this.files = tops.filter(({ isText }) => !isText).map(({ file }) => file);
  }

  /** The first file that says so decides. */
  get currentContext(): string | undefined {
    return this.#tops.map((top) => top.text('current-context')).find((name) => name !== undefined);
  }

  get contextNames(): readonly string[] {
    return this.#names('contexts');
  }

  /** A context by its name; default: the current one. Throws `NAME_UNKNOWN` with the names that there are. */
  context(wanted: string | undefined = this.currentContext): KubeContext {
    if (wanted === undefined) {
      throw new ConfigError('NAME_UNKNOWN', `${this.#where()} has no current-context: ${this.#choose()}`);
    }
    const context = this.#find('contexts', wanted)?.get('context');
    if (context === undefined) {
      throw new ConfigError('NAME_UNKNOWN', `${this.#where()} has no context ${wanted}: ${this.#choose()}`);
    }
    const userName = context.text('user');
    return {
      name: wanted,
      namespace: context.text('namespace'),
      cluster: this.#named('cluster', context),
      user: userName === undefined ? undefined : { name: userName, node: this.#named('user', context) },
    };
  }

  #named(kind: 'cluster' | 'user', context: YamlNode): YamlNode {
    const name = context.text(kind);
    if (name === undefined) throw context.invalid(`names no ${kind}`);
    const node = this.#find(`${kind}s`, name)?.get(kind);
    if (node !== undefined) return node;
    const known = this.#names(`${kind}s`).join(', ') || 'none';
    const place = context.get(kind)?.place ?? context.place;
    throw new ConfigError(
      'NAME_UNKNOWN',
      `${place} names the ${kind} ${name}, which is not there; there are: ${known}`,
    );
  }

  /** An entry by its name. The first file that has it decides: entries are never mixed. */
  #find(list: string, name: string): YamlNode | undefined {
    for (const top of this.#tops) {
      const found = top.list(list).find((entry) => entry.text('name') === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #names(list: string): readonly string[] {
    return [...new Set(this.#tops.flatMap((top) => top.list(list).map((entry) => entry.text('name') ?? '')))];
  }

  #where(): string {
    return this.#tops.map(({ file }) => file).join(', ');
  }

  #choose(): string {
    const names = this.contextNames;
    return names.length === 0 ? 'it has no contexts at all' : `choose one of ${names.join(', ')}`;
  }
}

/** The files that are looked for, in their order. */
export function kubeconfigPaths({ path, env = process.env }: LoadKubeconfigOptions): readonly string[] {
  if (path !== undefined) return [resolve(path)];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((entry) => entry !== '');
  return listed.length > 0
    ? listed.map((entry) => resolve(entry))
    : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

/** Reads and merges; undefined when none of the files exists. As kubectl, a missing one of several is passed over. */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig | undefined> {
  if (options.text !== undefined) return parseKubeconfig(options);
  const tops: YamlNode[] = [];
  for (const file of kubeconfigPaths(options)) {
    try {
      tops.push(await parseYamlNode({ file }, await readConfigText(file, 'the kubeconfig')));
    } catch (error) {
      const missing = error instanceof ConfigError && isMissing(error.cause);
      if (!missing || options.path !== undefined) throw error;
    }
  }
  return tops.length === 0 ? undefined : new Kubeconfig(tops);
}

async function parseKubeconfig({ path, text = '' }: LoadKubeconfigOptions): Promise<Kubeconfig> {
  if (path !== undefined) throw new TypeError('pass the path or the text of a kubeconfig, not both');
  const top = await parseYamlNode({ file: TEXT_NAME, isText: true }, text);
  // An empty file is an empty map. A variable that was never set must not pass for a kubeconfig.
  if (text.trim() === '') throw top.invalid('is empty');
  if (!isRecord(top.value)) throw top.invalid('is not a map: pass the YAML itself, neither a path nor base64');
  return new Kubeconfig([top]);
}
