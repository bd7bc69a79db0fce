/** A value in a YAML file, or in a text that came from elsewhere, that knows its line. */

import { dirname, isAbsolute, join } from 'node:path';
import { isRecord } from '@listwatch/api/values';
import { ConfigError } from './config-error.ts';
import { eventAt, lineOf, startOf, type YamlPath, type YamlSource, yamlSource } from './yaml-source.ts';

/** Far more than a kubeconfig needs; a file that someone else made must not exhaust memory. */
const LIMITS = { maxDepth: 100, maxAliases: 100 } as const;

/** Where YAML came from. A relative path in it is relative to a file; a text has no folder. */
export interface YamlOrigin {
  /** The name in messages: the path of a file, else what the text is. */
  readonly file: string;
  readonly isText?: boolean | undefined;
}

/** The top of it. Throws `FILE_INVALID` with the line for what is not YAML. An empty file is an empty map. */
export async function parseYamlNode(origin: YamlOrigin, text: string): Promise<YamlNode> {
  // Loaded when it is first needed: programs in a pod never need it.
  const { CORE_SCHEMA, constructFromEvents, getScalarValue, mergeTag, parseEvents, YAMLException } = await import(
    'js-yaml'
  );
  try {
    const events = parseEvents(text, { maxDepth: LIMITS.maxDepth });
    const schema = CORE_SCHEMA.withTags(mergeTag);
    const documents = constructFromEvents(events, { source: text, schema, maxAliases: LIMITS.maxAliases });
    if (documents.length > 1) throw new YAMLException('it has several documents, and only one is read');
    return new YamlNode(origin, yamlSource(text, events, getScalarValue), [], documents[0] ?? {});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark === undefined ? origin.file : `${origin.file}:${error.mark.line + 1}`;
    throw new ConfigError('FILE_INVALID', `${place} is not YAML: ${error.reason}`, { cause: error });
  }
}

/** Those that may stand in the kubeconfig itself as base64. */
const PEM_FIELDS: ReadonlySet<string> = new Set([
  'certificate-authority',
  'client-certificate',
  'client-key',
  'idp-certificate-authority',
]);

export class YamlNode {
  readonly value: unknown;
  readonly #origin: YamlOrigin;
  readonly #source: YamlSource;
  readonly #path: YamlPath;

  constructor(origin: YamlOrigin, source: YamlSource, path: YamlPath, value: unknown) {
    this.#origin = origin;
    this.value = value;
    this.#source = source;
    this.#path = path;
  }

  /** The path of the file; of a text, what it is called. */
  get file(): string {
    return this.#origin.file;
  }

  get isText(): boolean {
    return this.#origin.isText === true;
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

  /** The path of a file, which is relative to the file it stands in and not to where the program was started. */
  path(key: string): string | undefined {
    const path = this.text(key);
    if (path === undefined || isAbsolute(path)) return path;
    if (!this.isText) return join(dirname(this.file), path);
    const problem = `is the relative path ${path}, and a kubeconfig from text has no folder: use an absolute path`;
    throw (this.get(key) ?? this).invalid(PEM_FIELDS.has(key) ? `${problem} or ${key}-data` : problem);
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
    return new YamlNode(this.#origin, this.#source, [...this.#path, key], value);
  }

  #map(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (!isRecord(value)) throw this.invalid('is not a map');
    return value;
  }
}
