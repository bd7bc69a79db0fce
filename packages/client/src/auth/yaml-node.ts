/** A value in a YAML file that knows its line. */

import { isRecord } from '@listwatch/api/values';
import { ConfigError } from './config-error.ts';
import { eventAt, lineOf, startOf, type YamlPath, type YamlSource, yamlSource } from './yaml-source.ts';

/** Far more than a kubeconfig needs; a file that someone else made must not exhaust memory. */
const LIMITS = { maxDepth: 100, maxAliases: 100 } as const;

/** The top of a file. Throws `FILE_INVALID` with the line for what is not YAML. An empty file is an empty map. */
export async function parseYamlFile(file: string, text: string): Promise<YamlNode> {
  // Loaded when it is first needed: programs in a pod never need it.
  const { CORE_SCHEMA, constructFromEvents, getScalarValue, mergeTag, parseEvents, YAMLException } = await import(
    'js-yaml'
  );
  try {
    const events = parseEvents(text, { maxDepth: LIMITS.maxDepth });
    const schema = CORE_SCHEMA.withTags(mergeTag);
    const documents = constructFromEvents(events, { source: text, schema, maxAliases: LIMITS.maxAliases });
    if (documents.length > 1) throw new YAMLException('it has several documents, and only one is read');
    return new YamlNode(file, yamlSource(text, events, getScalarValue), [], documents[0] ?? {});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark === undefined ? file : `${file}:${error.mark.line + 1}`;
    throw new ConfigError('FILE_INVALID', `${place} is not YAML: ${error.reason}`, { cause: error });
  }
}

export class YamlNode {
  readonly file: string;
  readonly value: unknown;
  readonly #source: YamlSource;
  readonly #path: YamlPath;

  constructor(file: string, source: YamlSource, path: YamlPath, value: unknown) {
    this.file = file;
    this.value = value;
    this.#source = source;
    this.#path = path;
  }

  /** The value of a key; undefined when it is absent or null. */
  get(key: string): YamlNode | undefined {
    const map = this.#map();
    const value = map[key];
    return value === undefined || value === null ? undefined : this.#child(key, value);
  }

  /** A text, or undefined when the key is absent or empty. A number or a boolean is taken as it is written in YAML. */
  text(key: string): string | undefined {
    const node = this.get(key);
    if (node === undefined) return undefined;
    return node.#text() || undefined;
  }

  flag(key: string): boolean {
    const node = this.get(key);
    if (node !== undefined && typeof node.value !== 'boolean') throw node.invalid('is neither true nor false');
    return node?.value === true;
  }

  list(key: string): readonly YamlNode[] {
    const node = this.get(key);
    if (node === undefined) return [];
    if (!Array.isArray(node.value)) throw node.invalid('is not a list');
    return node.value.map((value, index) => node.#child(index, value));
  }

  texts(key: string): readonly string[] {
    return this.list(key).map((item) => item.#text());
  }

  keys(): readonly string[] {
    return Object.keys(this.#map());
  }

  /** An error that names the file, the line and the field. */
  invalid(problem: string): ConfigError {
    const field = this.#path.length === 0 ? '' : ` ${this.field}`;
    return new ConfigError('FILE_INVALID', `${this.place}:${field} ${problem}`);
  }

  /** `file:line`. */
  get place(): string {
    const start = this.#path.length === 0 ? undefined : startOf(eventAt(this.#source, this.#path));
    return start === undefined ? this.file : `${this.file}:${lineOf(this.#source.text, start)}`;
  }

  /** `clusters[0].cluster.server`. */
  get field(): string {
    return this.#path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./u, '');
  }

  #text(): string {
    const { value } = this;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.invalid('is not a text');
  }

  #child(key: number | string, value: unknown): YamlNode {
    return new YamlNode(this.file, this.#source, [...this.#path, key], value);
  }

  #map(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (!isRecord(value)) throw this.invalid('is not a map');
    return value;
  }
}
