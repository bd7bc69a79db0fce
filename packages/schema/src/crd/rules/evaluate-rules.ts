/** Evaluates the rules of a schema for an object that is written. */
import {
  type FieldError,
  fieldDuplicate,
  fieldErrorText,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import { CelError, CelOptional, type CelValue } from '@listwatch/cel';
import { type Findings, NO_FINDINGS } from '../../findings.ts';
import { adapterOf } from '../cel/schema-value.ts';
import type { RuleEvaluation } from '../custom-rules.ts';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import { OldValue } from '../object/old-value.ts';
import { partOf } from '../schema-part.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { oldItems } from './old-items.ts';
import { OBJECT_COST_MAX, OBJECT_STEPS_MAX, RULE_COST_MAX } from './rule-limits.ts';
import { messageOf } from './rule-message.ts';
import { type RuleNode, ruleTree } from './rule-tree.ts';
import { ruleMessage, ruleTitle } from './schema-rule.ts';

/** Evaluates all rules. After the first that is out of budget no more are evaluated. */
export function evaluateRules(request: RuleEvaluation): Findings {
  const { schema, isRoot, value, old, field, ratchets = old !== undefined } = request;
  const tree = ruleTree(schema, isRoot);
  if (tree === undefined) return NO_FINDINGS;
  const current = ratchets ? new OldValue(partOf(schema), value, old) : undefined;
  const evaluation = new Evaluation();
  evaluation.visit(tree, { field, value, old: old ?? null, current, nearest: undefined });
  return { errors: evaluation.errors, warnings: evaluation.warnings };
}

/** A value and where it stands. */
interface Place {
  readonly field: string;
  readonly value: unknown;
  /** The old value; null when there is none. */
  readonly old: unknown;
  /** The value with its old one, when they belong together and unchanged values are not validated. */
  readonly current: OldValue | undefined;
  /** The nearest value around it that has an old one. */
  readonly nearest: OldValue | undefined;
}

class Evaluation {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  #budget = OBJECT_COST_MAX;
  #steps = OBJECT_STEPS_MAX;

  /** `false` when the budget is used up. */
  visit(node: RuleNode, place: Place): boolean {
    if (place.value === null || place.value === undefined) return true;
    if (!this.#rules(node, place)) return false;
    if (Array.isArray(place.value)) return this.#items(node, place, place.value);
    return isRecord(place.value) ? this.#members(node, place, place.value) : true;
  }

  #items({ items, schema }: RuleNode, place: Place, value: readonly unknown[]): boolean {
    if (items === undefined) return true;
    const oldOf = oldItems(schema, place.old);
    for (const [index, item] of value.entries()) {
      const below = this.#below(place, () => place.current?.item(index));
      if (!this.visit(items, { ...below, field: indexPath(place.field, index), value: item, old: oldOf(item) })) {
        return false;
      }
    }
    return true;
  }

  #members(node: RuleNode, place: Place, value: Readonly<Record<string, unknown>>): boolean {
    const { additional, properties } = node;
    const old = isRecord(place.old) ? place.old : {};
    const names = additional === undefined ? [] : Object.keys(value).map((name) => ({ name, part: additional }));
    const known = Object.keys(value).map((name) => ({ name, part: properties.get(name) }));
    for (const { name, part } of [...names, ...known]) {
      if (part === undefined) continue;
      const below = this.#member(place, name);
      const field = part === additional ? keyPath(place.field, name) : childPath(place.field, name);
      const oldValue = Object.hasOwn(old, name) ? old[name] : null;
      if (!this.visit(part, { ...below, field, value: value[name], old: oldValue })) return false;
    }
    return true;
  }

  /** apiVersion and kind of the root are never taken for unchanged: both objects have been converted. */
  #member(place: Place, name: string): Pick<Place, 'current' | 'nearest'> {
    const isHidden = place.current !== undefined && place.nearest === undefined;
    if (isHidden && (name === 'apiVersion' || name === 'kind')) return { current: undefined, nearest: undefined };
    return this.#below(place, () => place.current?.member(name));
  }

  #below({ current, nearest }: Place, next: () => OldValue | undefined): Pick<Place, 'current' | 'nearest'> {
    return current === undefined ? { current, nearest } : { current: next(), nearest: current };
  }

  #rules(node: RuleNode, place: Place): boolean {
    const compiled = node.compiled();
    if (compiled === undefined || compiled.rules.length === 0) return true;
    const adapt = adapterOf(node.schema, node.isRoot);
    const self = adapt(place.value);
    const oldSelf = place.old === null || place.old === undefined ? undefined : adapt(place.old);
    return compiled.rules.every((rule) => this.#rule(rule, node, place, { self, oldSelf }));
  }

  /** `false` when no further rules are to be evaluated. */
  #rule(rule: CompiledRule, node: RuleNode, place: Place, { self, oldSelf }: Variables): boolean {
    const { expression, source, usesOldSelf } = rule;
    if (expression === undefined) return true;
    const { type } = node;
    if (expression.program === undefined) {
      this.errors.push(fieldInvalid(shown(place.field), type, `rule compile error: ${expression.problem}`));
      return true;
    }
    const isOptional = source.optionalOldSelf === true;
    if (usesOldSelf && oldSelf === undefined && !isOptional) return true;
    if (this.#budget <= 0) return this.#outOfBudget(place.field, type);
    const variables: Record<string, CelValue> = { self };
    if (isOptional) variables['oldSelf'] = oldSelf === undefined ? CelOptional.NONE : new CelOptional(oldSelf);
    else if (oldSelf !== undefined) variables['oldSelf'] = oldSelf;
    const { result, cost, steps } = expression.program.evaluate(variables, { cost: RULE_COST_MAX });
    if (!this.#spend(cost, steps)) return this.#outOfBudget(place.field, type);
    if (result instanceof CelError) return this.#failed(result, ruleTitle(source), place.field, type);
    return result === true || this.#refuse(rule, node, place, { self, oldSelf });
  }

  #failed({ message, reason }: CelError, title: string, field: string, type: string): boolean {
    if (reason === 'cost') {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${title}`;
      this.errors.push(fieldInvalid(shown(field), type, detail));
      return false;
    }
    const detail = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${title}`
      : `${message} evaluating rule: ${title}`;
    this.errors.push(fieldInvalid(shown(field), type, detail));
    return true;
  }

  /** Reports that a rule is not fulfilled. */
  #refuse(rule: CompiledRule, node: RuleNode, place: Place, variables: Variables): boolean {
    const { type } = node;
    const field = rule.fieldPath === '' ? shown(place.field) : childPath(place.field, rule.fieldPath);
    const message = messageOf(rule, variables, this.#budget);
    this.#spend(message.cost, message.steps);
    if (message.isFatal) {
      this.#add(fieldInvalid(field, type, message.text), rule, place);
      return false;
    }
    const isShown = type !== 'object' && type !== 'array';
    const detail = message.text === '' ? ruleMessage(rule.source) : message.text;
    this.#add(errorOf(rule.source.reason, field, isShown ? place.value : undefined, detail), rule, place);
    return true;
  }

  #add(error: FieldError, { usesOldSelf }: CompiledRule, { current, nearest }: Place): void {
    if (!usesOldSelf && ((current ?? nearest)?.isUnchanged() ?? false)) this.warnings.push(fieldErrorText(error));
    else this.errors.push(error);
  }

  #outOfBudget(field: string, type: string): boolean {
    const detail = 'validation failed due to running out of cost budget, no further validation rules will be run';
    this.errors.push(fieldInvalid(shown(field), type, detail));
    return false;
  }

  #spend(cost: number, steps: number): boolean {
    this.#steps -= steps;
    if (cost > this.#budget || this.#steps < 0) return false;
    this.#budget -= cost;
    return true;
  }
}

/** The variables of a rule. */
export interface Variables {
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
}

function errorOf(reason: string | undefined, field: string, value: unknown, detail: string): FieldError {
  switch (reason ?? '') {
    case 'FieldValueForbidden':
      return fieldForbidden(field, detail);
    case 'FieldValueRequired':
      return fieldRequired(field, detail);
    case 'FieldValueDuplicate':
      return fieldDuplicate(field, value);
    default:
      return fieldInvalid(field, value, detail);
  }
}

/** Go prints an empty path as `<nil>`. */
function shown(field: string): string {
  return field === '' ? '<nil>' : field;
}
