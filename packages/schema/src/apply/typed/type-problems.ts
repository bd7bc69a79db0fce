/** What is wrong with a value of a type. */

import { isJsonNumber, isRecord, type JsonRecord } from '../../decode/json-record.ts';
import { goText, goType } from '../../strategic-merge/go-text.ts';
import { isAnyType } from '../any-type.ts';
import type { ApplyList, ApplyMap, ApplyScalar, ApplyType } from '../apply-type.ts';
import { elementText, fieldElement } from '../fields/path-element.ts';
import { goSyntaxText } from './go-syntax-text.ts';
import { ItemProblem, itemElement } from './item-element.ts';
import { memberType } from './members.ts';
import { partFor } from './type-part.ts';

/** How values are checked. */
export interface TypeCheck {
  /** Lists may have several items with one key: stored objects have them. Default: no. */
  readonly allowsDuplicates?: boolean;
}

/** More problems than these are not looked for: an object may have a million of them. */
const MAX_PROBLEMS = 100;

/** The message of Kubernetes about a value that does not fit its type; undefined when it fits. */
export function typeProblem(value: unknown, type: ApplyType, check: TypeCheck = {}): string | undefined {
  const found = new Problems(check.allowsDuplicates === true);
  checkValue(value, type, found);
  const { texts } = found;
  return texts.length > 1 ? ['errors:', ...texts.map((text) => `  ${text}`)].join('\n') : texts[0];
}

class Problems {
  readonly allowsDuplicates: boolean;
  readonly texts: string[] = [];
  readonly #path: string[] = [];

  constructor(allowsDuplicates: boolean) {
    this.allowsDuplicates = allowsDuplicates;
  }

  get isFull(): boolean {
    return this.texts.length >= MAX_PROBLEMS;
  }

  add(message: string): void {
    const path = this.#path.join('');
    this.texts.push(path === '' ? message : `${path}: ${message}`);
  }

  /** Checks what is at a step of the path. */
  within(step: string, check: () => void): void {
    this.#path.push(step);
    check();
    this.#path.pop();
  }
}

function checkValue(value: unknown, type: ApplyType, found: Problems): void {
  if (value === null || isAnyType(type) || found.isFull) return;
  const part = partFor(type, value);
  if (part === 'map' && type.map !== undefined) {
    if (isRecord(value)) checkMembers(value, type.map, found);
    else found.add(`expected map, got &{${goText(value)}}`);
  } else if (part === 'list' && type.list !== undefined) {
    if (Array.isArray(value)) checkItems(value, type.list, found);
    else found.add(`expected list, got &{${goText(value)}}`);
  } else if (type.scalar !== undefined) {
    const problem = scalarProblem(value, type.scalar);
    if (problem !== undefined) found.add(problem);
  }
}

function scalarProblem(value: unknown, scalar: ApplyScalar): string | undefined {
  switch (scalar) {
    case 'numeric':
      return isJsonNumber(value) ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntaxText(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined;
  }
}

function checkMembers(record: JsonRecord, map: ApplyMap, found: Problems): void {
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (value === undefined || value === null) {
      if (memberType(map, name) !== undefined || value === undefined) continue;
    }
    const type = memberType(map, name);
    if (type === undefined) {
      found.within(elementText(fieldElement(name)), () => found.add('field not declared in schema'));
      return;
    }
    // Most members are scalars that fit: no path is made for them.
    if (type.scalar !== undefined && typeof value !== 'object' && scalarProblem(value, type.scalar) === undefined) {
      continue;
    }
    found.within(elementText(fieldElement(name)), () => checkValue(value, type, found));
  }
}

function checkItems(items: readonly unknown[], list: ApplyList, found: Problems): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let step = `[${index}]`;
    if (!list.isAtomic) {
      const element = elementOrProblem(list, item, index, found);
      if (element === undefined) return;
      const isAllowed = !seen.has(element) || found.allowsDuplicates;
      seen.add(element);
      step = elementText(element, 'integer');
      if (!isAllowed) found.add(`duplicate entries for key ${step}`);
    }
    found.within(step, () => checkValue(item, list.item, found));
  }
}

function elementOrProblem(list: ApplyList, item: unknown, index: number, found: Problems): string | undefined {
  try {
    return itemElement(list, item);
  } catch (problem) {
    if (!(problem instanceof ItemProblem)) throw problem;
    found.add(`element ${index}: ${problem.message}`);
    return undefined;
  }
}
