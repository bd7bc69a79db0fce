/** The YAML file of `--config`: the same options under the same names. */

import { readFileSync } from 'node:fs';
import { isRecord } from '@listwatch/api/values';
import { loadAll, YAMLException } from 'js-yaml';
import { explainFileError } from '../file-error.ts';
import { UsageError } from '../usage-error.ts';
import { optionName } from './option-spec.ts';
import { SERVE_OPTIONS, SETTING_NAMES, type ServeSettings } from './serve-options.ts';

/** Options as text, by the names of their settings. */
export type RawOptions = { readonly [K in keyof ServeSettings]?: string | undefined };

/** Reads the file. Throws a `UsageError` when it cannot be read, is no YAML map, or has a key that is no option. */
export function readConfigFile(path: string): RawOptions {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--config must be a file that can be read, got ${JSON.stringify(path)}: ${explainFileError(error)}`,
    );
  }
  return parseConfig(text, path);
}

/** Reads the text of a file; `path` is for the messages. */
export function parseConfig(text: string, path: string): RawOptions {
  const content = parseYaml(text, path);
  if (content === null || content === undefined) return {};
  if (!isRecord(content))
    throw new UsageError(`--config must be a map of options, got ${describe(content)} in ${path}`);
  const names = new Map(SETTING_NAMES.map((name) => [optionName(name), name]));
  const raw: Partial<Record<keyof ServeSettings, string>> = {};
  for (const [key, value] of Object.entries(content)) {
    const name = names.get(key);
    if (name === undefined)
      throw new UsageError(`--config must have options of serve only, got ${JSON.stringify(key)} in ${path}`);
    raw[name] = textOf(name, value, path);
  }
  return raw;
}

function parseYaml(text: string, path: string): unknown {
  try {
    // A file of nothing but comments has no document, and so no options.
    const [content, another] = loadAll(text, { maxAliases: 100 });
    if (another !== undefined) throw new UsageError(`--config must be one YAML document, got several in ${path}`);
    return content;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark === undefined ? '' : ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    throw new UsageError(`--config must be YAML: ${path}: ${error.reason}${place}`);
  }
}

/** The value as it would be written on the command line. */
function textOf(name: keyof ServeSettings, value: unknown, path: string): string {
  const { expected, yaml } = SERVE_OPTIONS[name].kind;
  if (isScalar(value)) return String(value);
  if (yaml === 'list' && Array.isArray(value) && value.every(isScalar)) return value.map(String).join(',');
  if (yaml === 'map' && isRecord(value)) {
    const entries = Object.entries(value);
    if (entries.every(([, size]) => isScalar(size)))
      return entries.map(([key, size]) => `${key}#${String(size)}`).join(',');
  }
  throw new UsageError(`${optionName(name)} in ${path} must be ${expected}, got ${describe(value)}`);
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

function describe(value: unknown): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}
