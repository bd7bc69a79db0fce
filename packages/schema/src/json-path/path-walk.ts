/** Applies a template to a value. */

import { isRecord } from '@listwatch/api/values';
import { comparesTrue, literalOf } from './filter-comparison.ts';
import { JsonPathError } from './json-path-error.ts';
import type { SliceNumber, TemplateNode } from './template-node.ts';
import type { VisitBudget } from './visit-budget.ts';

type Values = readonly unknown[];

/** One application of a template. */
export class PathWalk {
  readonly #nodes: readonly TemplateNode[];
  readonly #allowsMissing: boolean;
  readonly #budget: VisitBudget;
  #begun = 0;
  #within = 0;
  #ended = 0;
  #lastEnd = -1;

  constructor(nodes: readonly TemplateNode[], allowsMissing: boolean, budget: VisitBudget) {
    this.#nodes = nodes;
    this.#allowsMissing = allowsMissing;
    this.#budget = budget;
  }

  /** What each part of the template finds. */
  results(value: unknown, start = 0): readonly Values[] {
    const found: Values[] = [];
    for (let index = start; index < this.#nodes.length; index += 1) {
      const node = this.#nodes[index];
      if (node === undefined) break;
      const values = this.#walk([value], node);
      if (this.#ended > 0 && this.#ended <= this.#within) {
        this.#ended -= 1;
        this.#lastEnd = index;
        break;
      }
      if (this.#begun > 0) {
        found.push(...this.#range(values, index + 1));
        if (this.#lastEnd > index) index = this.#lastEnd;
      } else found.push(values);
    }
    return found;
  }

  /** The parts up to `{end}` for each value; without a value they are walked over once, for their end. */
  #range(values: Values, start: number): readonly Values[] {
    this.#begun -= 1;
    this.#within += 1;
    const found = values.flatMap((value) => [...this.results(value, start)]);
    if (values.length === 0) this.results(null, start);
    this.#within -= 1;
    return found;
  }

  #walk(values: Values, node: TemplateNode): Values {
    this.#visit(values.length);
    switch (node.is) {
      case 'list':
        return node.nodes.reduce((found: Values, step) => this.#walk(found, step), values);
      case 'value':
        return typeof node.value === 'string' ? [node.value] : values.map(() => literalOf(node.value));
      case 'field':
        return this.#field(values, node.name);
      case 'slice':
        return values.flatMap((value) => this.#slice(value, node.numbers));
      case 'filter':
        return values.flatMap((value) => this.#filter(value, node));
      case 'wildcard':
        return values.flatMap((value) => this.#members(value));
      case 'recursive':
        return this.#descend(values);
      case 'union':
        return node.lists.flatMap((list) => this.#walk(values, list));
      case 'keyword':
        return this.#keyword(values, node.name);
    }
  }

  #visit(count: number): void {
    this.#budget.spend(count + 1);
    if (this.#budget.isSpent) throw new JsonPathError('the path looks at too many values');
  }

  #keyword(values: Values, name: string): Values {
    if (name === 'range') {
      this.#begun += 1;
      return values;
    }
    if (name !== 'end') throw new JsonPathError(`unrecognized identifier ${name}`);
    if (this.#within === 0) throw new JsonPathError('not in range, nothing to end');
    this.#ended += 1;
    return [];
  }

  #field(values: Values, name: string): Values {
    if (values.length === 0) return [];
    const found = values.filter((value) => isRecord(value) && Object.hasOwn(value, name));
    if (found.length === 0 && !this.#allowsMissing) throw new JsonPathError(`${name} is not found`);
    return found.map((value) => (isRecord(value) ? value[name] : undefined));
  }

  #slice(value: unknown, [first, last, step]: readonly [SliceNumber, SliceNumber, SliceNumber]): Values {
    if (value === null) return [];
    if (!Array.isArray(value)) throw new JsonPathError(`${goTypeOf(value)} is not array or slice`);
    const { length } = value;
    const start = first.isKnown && first.value < 0 ? first.value + length : first.value;
    let end = last.isKnown ? last.value : length;
    if (end < 0 || (end === 0 && last.isDerived)) end += length;
    if (start === end) return [];
    const outside = start >= length || start < 0 ? start : end > length || end < 0 ? end - 1 : undefined;
    if (outside !== undefined) {
      throw new JsonPathError(`array index out of bounds: index ${outside}, length ${length}`);
    }
    if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
    if (step.isKnown && step.value <= 0) throw new JsonPathError('step must be > 0');
    const stride = step.isKnown ? step.value : 1;
    this.#visit(end - start);
    return value.slice(start, end).filter((_, index) => index % stride === 0);
  }

  #members(value: unknown): Values {
    if (Array.isArray(value)) {
      this.#visit(value.length);
      return value;
    }
    if (typeof value === 'string') {
      // Before its bytes are listed: a text may have a million of them.
      this.#visit(value.length);
      return [...new TextEncoder().encode(value)];
    }
    const members = isRecord(value) ? Object.values(value) : [];
    this.#visit(members.length);
    return members;
  }

  /** All values that have members, outer ones first. */
  #descend(values: Values): Values {
    const found: unknown[] = [];
    const waiting = values.toReversed();
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value === 'string') {
        if (value !== '') found.push(value);
        continue;
      }
      const members = this.#members(value);
      if (members.length === 0) continue;
      found.push(value);
      for (let index = members.length - 1; index >= 0; index -= 1) waiting.push(members[index]);
    }
    return found;
  }

  #filter(value: unknown, node: Extract<TemplateNode, { is: 'filter' }>): Values {
    if (!Array.isArray(value)) throw new JsonPathError(`${String(value)} is not array or slice and cannot be filtered`);
    return value.filter((item) => {
      if (node.operator === 'exists') return this.#exists(item, node.left);
      const left = one(this.#walk([item], node.left));
      if (left === undefined) return false;
      const right = one(this.#walk([item], node.right));
      return right !== undefined && comparesTrue(left.value, node.operator, right.value);
    });
  }

  /** A missing key is no error here. */
  #exists(item: unknown, list: TemplateNode): boolean {
    try {
      return this.#walk([item], list).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError && !this.#budget.isSpent) return false;
      throw error;
    }
  }
}

function one(values: Values): { readonly value: unknown } | undefined {
  if (values.length > 1) throw new JsonPathError('can only compare one element at a time');
  return values.length === 0 ? undefined : { value: values[0] };
}

function goTypeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'object') return 'map[string]interface {}';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
}
