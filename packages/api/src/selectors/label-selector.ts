/** Label selectors: a conjunction of conditions on an object's labels. Parse once, match often. */

import { quote } from '../names/quote.ts';
import { compareText } from '../names/text-order.ts';
import type { ExactTerm } from './exact-term.ts';
import { parseLabelRequirements } from './label-parser.ts';
import {
  exactLabelValue,
  type LabelOperator,
  type LabelRequirement,
  labelRequirement,
  printLabelRequirement,
} from './label-requirement.ts';
import { SharedValues } from './shared-values.ts';

/** The labels of an object, as they stand in its metadata; `undefined` is no labels. */
export type Labels = Readonly<Record<string, string>> | undefined;

/** A compiled selector. Immutable; made by `parseLabelSelector` or `labelSelector`. */
export class LabelSelector {
  /** Sorted by key; conditions on one key keep their order. */
  readonly requirements: readonly LabelRequirement[];
  /** The canonical text, as Kubernetes prints it. Parsing it gives an equal selector. */
  readonly text: string;
  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted((left, right) => compareText(left.key, right.key));
    this.text = this.requirements.map(printLabelRequirement).join(',');
  }

  /** Every condition that pins a label to one value: a key for an index over selectors. Made anew each time. */
  get exactTerms(): readonly ExactTerm[] {
    return this.requirements.flatMap((requirement) => {
      const value = exactLabelValue(requirement);
      return value === undefined ? [] : [{ key: requirement.key, value }];
    });
  }

  /** Does it select everything? */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** Are these labels selected? Allocates nothing. */
  matches(labels: Labels): boolean {
    for (const requirement of this.requirements) {
      const value: unknown = labels?.[requirement.key];
      // A label may be called `constructor`; what the prototype holds under such names is not text.
      if (!requirement.accepts(typeof value === 'string' ? value : undefined)) return false;
    }
    return true;
  }

  /** The one value that the selector demands of a label; `undefined` when it leaves a choice. */
  requiresExactMatch(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    return first && exactLabelValue(first);
  }

  /** The canonical text. */
  toString(): string {
    return this.text;
  }
}

/** The selector that selects everything. */
export const EVERY_LABEL: LabelSelector = new LabelSelector([]);

const shared = new SharedValues<LabelSelector>();

/**
 * Reads the text form of a selector; `''` selects everything. Long selectors of equal text are one object. Throws
 * `SelectorError`.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? EVERY_LABEL : shared.get(text, (one) => new LabelSelector(parseLabelRequirements(one)));
}

/** One entry of `matchExpressions`. */
export interface LabelSelectorExpression {
  readonly key: string;
  readonly operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
  /** For `In` and `NotIn` at least one; for the others none. */
  readonly values?: readonly string[];
}

/** The structured form of a selector, as it stands in the specs of objects. All its parts must match. */
export interface LabelSelectorSpec {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

const OPERATOR: Readonly<Record<LabelSelectorExpression['operator'], LabelOperator>> = {
  DoesNotExist: '!',
  Exists: 'exists',
  In: 'in',
  NotIn: 'notin',
};

/**
 * Compiles the structured form; an empty spec selects everything. Throws `LabelRequirementError` for an illegal key or
 * value and a TypeError for an unknown operator.
 *
 * @example
 * labelSelector({ matchLabels: { app: 'web' } }).matches(pod.metadata.labels);
 */
export function labelSelector(spec: LabelSelectorSpec): LabelSelector {
  const labels = Object.entries(spec.matchLabels ?? {}).map(([key, value]) => labelRequirement(key, '=', [value]));
  const expressions = (spec.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (!Object.hasOwn(OPERATOR, operator))
      throw new TypeError(`${quote(operator)} is not a valid label selector operator`);
    return labelRequirement(key, OPERATOR[operator], values);
  });
  return new LabelSelector([...labels, ...expressions]);
}
