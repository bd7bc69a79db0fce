/** What is wrong with a value of a type. */

import { isJsonNumber, isRecord, type JsonRecord } from '@listwatch/api/values';
import { goText, goType } from '../../strategic-merge/go-text.ts';
import { isAnyType } from '../any-type.ts';
import type { ApplyList, ApplyMap, ApplyScalar, ApplyType } from '../apply-type.ts';
import { elementText, fieldElement } from '../fields/path-element.ts';
import { goSyntaxText } from './go-syntax-text.ts';
import { itemElement, itemProblem } from './item-element.ts';
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
export function typedValueProblem(value: unknown, type: ApplyType, check: TypeCheck = {}): string | undefined {
  const found = new Problems(check.allowsDuplicates === true);
  checkValue(value, type, found);
  const { texts } = found;
  return texts.length > 1 ? ['errors:', ...texts.map((text) => `  ${text}`)].join('\n') : texts[0];
}

class Problems {
  readonly allowsDuplicates: boolean;
  readonly texts: string[] = [];
  /** Where the check is. Only messages need its text: making a key for each item of a large list costs more than the check. */
  readonly path: PathStep[] = [];

  constructor(allowsDuplicates: boolean) {
    this.allowsDuplicates = allowsDuplicates;
  }

  get isFull(): boolean {
    return this.texts.length >= MAX_PROBLEMS;
  }

  add(message: string): void {
    const path = this.path.map(stepText);
    this.texts.push(path.length === 0 ? message : `${path.join('')}: ${message}`);
  }
}

/** The name of a member, the index in an atomic list, or an item of a list with keys or of a set. */
type PathStep = number | string | { readonly list: ApplyList; readonly item: unknown };

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  return elementText(typeof step === 'string' ? fieldElement(step) : itemElement(step.list, step.item), 'integer');
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
  } else if (type.scalar !== undefined && !fitsScalar(value, type.scalar)) {
    found.add(scalarProblem(value, type.scalar));
  }
}

function fitsScalar(value: unknown, scalar: ApplyScalar): boolean {
  if (scalar === 'numeric') return isJsonNumber(value);
  return scalar === 'untyped' ? typeof value !== 'object' : typeof value === scalar;
}

function scalarProblem(value: unknown, scalar: ApplyScalar): string {
  switch (scalar) {
    case 'numeric':
      return `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${goSyntaxText(value)}}`;
    case 'boolean':
      return `expected boolean, got &{${goText(value)}}`;
    case 'untyped':
      return `expected any scalar, got &{${goText(value)}}`;
  }
}

function checkMembers(record: JsonRecord, map: ApplyMap, found: Problems): void {
  for (const name of Object.keys(record)) {
    if (found.isFull) return;
    const value = record[name];
    const type = memberType(map, name);
    if (value === undefined || (value === null && type !== undefined)) continue;
    found.path.push(name);
    if (type === undefined) {
      found.add('field not declared in schema');
      found.path.pop();
      return;
    }
    checkValue(value, type, found);
    found.path.pop();
  }
}

function checkItems(items: readonly unknown[], list: ApplyList, found: Problems): void {
  const seen = found.allowsDuplicates || list.isAtomic ? undefined : new Set<string>();
  for (const [index, item] of items.entries()) {
    if (found.isFull) return;
    if (!list.isAtomic && !isPlaced(list, item, index, found)) return;
    if (seen !== undefined) {
      const element = itemElement(list, item);
      if (seen.has(element)) found.add(`duplicate entries for key ${elementText(element, 'integer')}`);
      seen.add(element);
    }
    found.path.push(list.isAtomic ? index : { list, item });
    checkValue(item, list.item, found);
    found.path.pop();
  }
}

/** Has the item a key, or is it a value of a set? Notes the problem if not. */
function isPlaced(list: ApplyList, item: unknown, index: number, found: Problems): boolean {
  const problem = itemProblem(list, item);
  if (problem !== undefined) found.add(`element ${index}: ${problem}`);
  return problem === undefined;
}
