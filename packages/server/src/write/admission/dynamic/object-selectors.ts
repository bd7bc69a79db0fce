/** The object selectors of many webhooks as one question: does any of them take the objects of a request? */

import type { LabelSelector } from '@listwatch/api';
import type { RequestObjects } from '../../../contract/dynamic-admission.ts';
import { type ObjectLabels, objectLabels } from './selected-labels.ts';

/** The selectors that need a label with one key. */
interface Needing {
  readonly byValue: Map<string, LabelSelector[]>;
  /** The requirements that leave the value open, or compare it. */
  readonly ofAnyValue: LabelSelector[];
}

const LISTED: ReadonlySet<string> = new Set(['=', '==', 'in']);

/**
 * Costs what the labels of an object are, not what the selectors are: one that needs a label is compared only with objects that have
 * it, and equal ones once.
 */
export class ObjectSelectors {
  readonly #takesAll: boolean;
  readonly #byKey = new Map<string, Needing>();
  /** The requirements that match objects without labels, such as `!key`. */
  readonly #others: LabelSelector[] = [];

  /** An undefined selector takes everything, also what has no metadata. */
  constructor(selectors: readonly (LabelSelector | undefined)[]) {
    this.#takesAll = selectors.includes(undefined);
    if (this.#takesAll) return;
    const distinct = new Map<string, LabelSelector>();
    for (const selector of selectors) if (selector !== undefined) distinct.set(selector.text, selector);
    for (const selector of distinct.values()) this.#add(selector);
  }

  /** Does any selector take the object, or the stored one? */
  takeAny({ object, old }: RequestObjects): boolean {
    return this.#takesAll || this.#take(objectLabels(object)) || this.#take(objectLabels(old));
  }

  #add(selector: LabelSelector): void {
    const needs = selector.requirements.filter((requirement) => !requirement.accepts(undefined));
    const listed = needs.find(({ operator }) => LISTED.has(operator));
    const need = listed ?? needs[0];
    if (need === undefined) {
      this.#others.push(selector);
      return;
    }
    let needing = this.#byKey.get(need.key);
    if (needing === undefined) this.#byKey.set(need.key, (needing = { byValue: new Map(), ofAnyValue: [] }));
    if (listed === undefined) needing.ofAnyValue.push(selector);
    else for (const value of listed.values) addTo(needing.byValue, value, selector);
  }

  #take(labels: ObjectLabels | undefined): boolean {
    if (labels === undefined) return false;
    if (isTaken(this.#others, labels)) return true;
    if (this.#byKey.size === 0) return false;
    for (const key of Object.keys(labels)) {
      const needing = this.#byKey.get(key);
      if (needing === undefined) continue;
      if (isTaken(needing.byValue.get(labels[key] ?? ''), labels) || isTaken(needing.ofAnyValue, labels)) return true;
    }
    return false;
  }
}

function addTo(byValue: Map<string, LabelSelector[]>, value: string, selector: LabelSelector): void {
  const known = byValue.get(value);
  if (known === undefined) byValue.set(value, [selector]);
  else known.push(selector);
}

function isTaken(selectors: readonly LabelSelector[] | undefined, labels: ObjectLabels): boolean {
  return selectors?.some((selector) => selector.matches(labels)) ?? false;
}
