/** Paths of fields in a schema: `.spec.color`, `.metadata['a.b']`. */

import type { JsonRecord } from '@listwatch/api/values';
import { childPath, keyPath } from '../error-path.ts';
import { recordAt } from './definition-view.ts';

/** The target of a path. */
export interface SchemaAtPath {
  /** As an error prints it. */
  readonly path: string;
  /** The first name of the path. */
  readonly root: string;
  readonly schema: JsonRecord | undefined;
}

/** How a path may be written. */
export interface SchemaPathOptions {
  /** Are `['name']` steps allowed? Default: true. */
  readonly allowsBrackets?: boolean;
}

class PathProblem extends Error {
  override readonly name = 'PathProblem';
}

/** The schema at a path; or why there is none. */
export function schemaAtPath(
  schema: JsonRecord,
  path: string,
  { allowsBrackets = true }: SchemaPathOptions = {},
): SchemaAtPath | { readonly problem: string } {
  try {
    return follow(schema, tokensOf(path), allowsBrackets);
  } catch (error) {
    if (error instanceof PathProblem) return { problem: error.message };
    throw error;
  }
}

function follow(schema: JsonRecord, tokens: readonly string[], allowsBrackets: boolean): SchemaAtPath {
  let here: SchemaAtPath = { path: '', root: '', schema };
  let index = 0;
  const next = (): string => {
    const token = tokens[index];
    if (token === undefined) throw new PathProblem('unexpected end of JSON path');
    index += 1;
    return token;
  };
  while (index < tokens.length) {
    const token = next();
    if (token === '.') here = step(here, next());
    else if (token === '[') {
      if (!allowsBrackets) throw new PathProblem('array notation is not allowed');
      here = step(here, quotedName(next()));
      const end = next();
      if (end !== ']') throw new PathProblem(`expected ] but got ${end}`);
    } else throw new PathProblem(`expected [ or . but got: ${token}`);
  }
  return here;
}

function quotedName(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    throw new PathProblem(`expected single quoted string but got ${token}`);
  }
  return token.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
}

function step({ path, root, schema }: SchemaAtPath, name: string): SchemaAtPath {
  const properties = schema === undefined ? undefined : recordAt(schema, 'properties');
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const property = Object.hasOwn(properties, name) ? recordAt(properties, name) : undefined;
    if (property === undefined) throw new PathProblem('does not refer to a valid field');
    return { path: childPath(path, name), root: root === '' ? name : root, schema: property };
  }
  const additional = schema?.['additionalProperties'];
  if (additional === undefined || additional === null || schema === undefined) {
    throw new PathProblem('does not refer to a valid field');
  }
  return {
    path: keyPath(path, name),
    root: root === '' ? name : root,
    schema: recordAt(schema, 'additionalProperties'),
  };
}

/** Dots, brackets, texts in single quotes, and names between them. */
function tokensOf(path: string): readonly string[] {
  const tokens: string[] = [];
  let start = 0;
  while (start < path.length) {
    const end = endOfToken(path, start);
    tokens.push(path.slice(start, end));
    start = end;
  }
  return tokens;
}

function endOfToken(path: string, start: number): number {
  if (path.charAt(start) === "'") {
    for (let index = start + 1; index < path.length; index += 1) {
      if (path.charAt(index) === "'" && path.charAt(index - 1) !== '\\') return index + 1;
    }
    return path.length;
  }
  for (let index = start; index < path.length; index += 1) {
    if ('.[]'.includes(path.charAt(index))) return index === start ? start + 1 : index;
  }
  return path.length;
}
