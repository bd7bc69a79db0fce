/** A right that a program has used, and the file of them. */

import { isRecord } from '@listwatch/api/values';

/** One verb on one resource, in one namespace. */
export interface UsedRight {
  readonly verb: string;
  /** `''` for the core group. */
  readonly group: string;
  /** With its subresource: `deployments`, `deployments/status`. */
  readonly resource: string;
  /** Absent: in none, or in all of them. */
  readonly namespace?: string | undefined;
  /** Of the objects. Absent: requests without a name, or more names than are kept. */
  readonly names?: readonly string[] | undefined;
}

/** What a program has used. */
export interface UsedRights {
  readonly rights: readonly UsedRight[];
  /** Paths outside the API that were read, but for those that everybody may read. */
  readonly paths: readonly string[];
}

const FORMAT_VERSION = 1;

/** The text of the file. */
export function usedRightsText({ rights, paths }: UsedRights): string {
  const lines = rights.map((right) => `    ${JSON.stringify(right)}`).join(',\n');
  return `{\n  "formatVersion": ${FORMAT_VERSION},\n  "rights": [\n${lines}\n  ],\n  "paths": ${JSON.stringify(paths)}\n}\n`;
}

/** Reads the text of the file. Throws a `TypeError` that says what is wrong with it. */
export function parseUsedRights(text: string): UsedRights {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new TypeError('it is not JSON', { cause: error });
  }
  if (!isRecord(file) || file['formatVersion'] !== FORMAT_VERSION) {
    throw new TypeError(`it is not a record of rights of format ${FORMAT_VERSION}`);
  }
  const { rights, paths = [] } = file;
  if (!Array.isArray(rights)) throw new TypeError('rights must be a list');
  if (!isTexts(paths)) throw new TypeError('paths must be a list of texts');
  return { rights: rights.map((right: unknown, index) => checked(right, index)), paths };
}

/** Resources, groups and verbs as they are in rules and paths. It also keeps `*` out: nobody asks for a wildcard. */
const WORD = /^[a-z0-9][-a-z0-9./]{0,316}$/u;

function checked(right: unknown, index: number): UsedRight {
  const wrong = (what: string): TypeError => new TypeError(`rights[${index}]: ${what}`);
  if (!isRecord(right)) throw wrong('it must be an object');
  const { verb, group, resource, namespace, names } = right;
  if (typeof verb !== 'string' || !WORD.test(verb)) throw wrong('verb must be a verb such as list');
  if (typeof group !== 'string' || (group !== '' && !WORD.test(group))) throw wrong('group must be a name or empty');
  if (typeof resource !== 'string' || !WORD.test(resource)) throw wrong('resource must be a name such as pods');
  if (namespace !== undefined && (typeof namespace !== 'string' || !WORD.test(namespace))) {
    throw wrong('namespace must be a name');
  }
  if (names !== undefined && !isTexts(names)) throw wrong('names must be a list of texts');
  return {
    verb,
    group,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(names === undefined ? {} : { names }),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
