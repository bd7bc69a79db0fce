/** A value in a YAML file, that knows on which line it stands. */

import type { Document, LineCounter } from 'yaml';
import { ConfigError } from './config-error.ts';

type Path = readonly (number | string)[];

/** The top of a file. Throws `FILE_INVALID` with the line for what is not YAML. An empty file is an empty map. */
export async function parseYaml(file: string, text: string): Promise<YamlNode> {
  // Loaded when it is first needed: programs in a pod never need it.
  const { LineCounter: Counter, parseDocument } = await import('yaml');
  const lines = new Counter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new ConfigError('FILE_INVALID', `${file}:${line} is not YAML: ${error.message}`);
  }
  return new YamlNode(file, document, lines, [], document.toJS() ?? {});
}

export class YamlNode {
  readonly file: string;
  readonly value: unknown;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #path: Path;

  constructor(file: string, document: Document, lines: LineCounter, path: Path, value: unknown) {
    this.file = file;
    this.value = value;
    this.#document = document;
    this.#lines = lines;
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
    const node: unknown = this.#path.length === 0 ? undefined : this.#document.getIn(this.#path, true);
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
    const start: unknown = Array.isArray(range) ? range[0] : undefined;
    return typeof start === 'number' ? `${this.file}:${this.#lines.linePos(start).line}` : this.file;
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
    return new YamlNode(this.file, this.#document, this.#lines, [...this.#path, key], value);
  }

  #map(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.invalid('is not a map');
    return Object.fromEntries(Object.entries(value));
  }
}
