/** The body of a request in YAML, read as Kubernetes reads it. The sender is not trusted: work and nesting are bounded. */

import { isUtf8 } from 'node:buffer';
import { quote, requestEntityTooLarge, StatusError } from '@listwatch/api';
import type { Event } from 'js-yaml';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { composeYaml, MAX_NODES, type RepeatedKey, YamlProblem } from './yaml-composer.ts';
import { yaml } from './yaml-library.ts';

/** As much as etcd takes for one object. The parser needs up to 50 ns for a byte, several times what JSON needs. */
const MAX_BYTES = 1.5 * 1024 * 1024;
/** The parser recurses; Go's allows 10 000. */
const MAX_DEPTH = 100;
/** An error of the parser costs time for each line of the text. */
const MAX_LINES = 200_000;
/** As many complaints as JSON has. */
const MAX_COMPLAINTS = 100;
const MAX_COMPLAINT_CHARACTERS = 64 * 1024;

/** Parses the first document. Throws a `SyntaxProblem`, and the 413 for more than the server decodes at once. */
export function parseYaml(bytes: Buffer, maxNodes: number = MAX_NODES): JsonDocument {
  if (bytes.length > MAX_BYTES) throw requestEntityTooLarge(`limit is ${MAX_BYTES} for YAML`);
  if (!isUtf8(bytes)) throw new SyntaxProblem('yaml: invalid leading UTF-8 octet');
  const text = bytes.toString();
  const lines = lineAt(text, text.length);
  if (lines > MAX_LINES) throw requestEntityTooLarge(`the body has ${lines} lines of YAML, limit is ${MAX_LINES}`);
  try {
    const first = firstDocument(text);
    const { value, repeated } = composeYaml(first, eventsOf(first, maxNodes), yaml());
    return { value, repeatingText: undefined, fractionText: undefined, complaints: complaintsOf(text, repeated) };
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw new SyntaxProblem(`yaml: ${explain(cause, text)}`, { cause });
  }
}

/** The text up to the end of the first document: what follows may be anything, as in Go. */
function firstDocument(text: string): string {
  let isOpen = false;
  for (const { index, 0: mark } of text.matchAll(/^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gmu)) {
    isOpen ||= mark === '...' || !/^(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*$/u.test(text.slice(0, index));
    if (isOpen) return text.slice(0, index);
    // Only directives and comments were in front: the document begins here.
    isOpen = true;
  }
  return text;
}

function eventsOf(text: string, maxNodes: number): readonly Event[] {
  let nodes = 0;
  // The parser has no limit for nodes, but it compares its depth with this one at every node.
  const maxDepth = {
    valueOf: (): number => {
      nodes += 1;
      if (nodes > maxNodes) throw requestEntityTooLarge(`the body has more than ${maxNodes} nodes of YAML; send JSON`);
      return MAX_DEPTH;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is compared as the number that it gives
  return yaml().parseEvents(text, { maxDepth: maxDepth as unknown as number });
}

function complaintsOf(text: string, repeated: readonly RepeatedKey[]): readonly string[] {
  const complaints: string[] = [];
  let [line, start, characters] = [1, 0, 0];
  // In the order of the text, so that its lines are counted once.
  for (const { key, position } of repeated.toSorted((left, right) => left.position - right.position)) {
    if (complaints.length === MAX_COMPLAINTS || characters > MAX_COMPLAINT_CHARACTERS) break;
    line += newlines(text, start, position);
    start = position;
    characters += key.length;
    complaints.push(`line ${line}: key ${quote(key)} already set in map`);
  }
  return complaints;
}

function lineAt(text: string, position: number): number {
  return 1 + newlines(text, 0, position);
}

function newlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The message of Go's YAML parser, with the line. */
function explain(cause: unknown, text: string): string {
  if (cause instanceof YamlProblem) return `line ${lineAt(text, cause.position)}: ${cause.message}`;
  if (cause instanceof yaml().YAMLException) {
    if (cause.reason.endsWith('within a flow collection')) return unfinishedCollection(text.trimEnd());
    const reason = cause.reason.startsWith('nesting exceeded') ? `exceeded max depth of ${MAX_DEPTH}` : cause.reason;
    return `line ${(cause.mark?.line ?? 0) + 1}: ${reason}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
}

/** Go's message for an unclosed `{` or `[`: truncated JSON is the most frequent mistake. */
function unfinishedCollection(text: string): string {
  const line = lineAt(text, text.length);
  if (/[{[,:]$/u.test(text)) return `line ${line}: did not find expected node content`;
  const open: string[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += mark === '\\' ? 1 : 0;
    else if (mark === '{') open.push('}');
    else if (mark === '[') open.push(']');
    else if (mark === open.at(-1)) open.pop();
  }
  return `line ${line}: did not find expected ',' or '${open.at(-1) ?? '}'}'`;
}
