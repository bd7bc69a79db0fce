/** Turns a checked expression into a tree of closures. */
import type { CheckedExpression } from '../checker/checked-expression.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  IdentifierExpression,
  ListExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { type MapKey, mapKey } from '../values/cel-map.ts';
import { CelDouble, CelOptional, CelUint, type CelValue } from '../values/cel-value.ts';
import { type Attribute, chargedPlan, conditionalAttribute, flattenOptional, rootedAttribute } from './attribute.ts';
import { callPlan } from './call-plans.ts';
import { planFold } from './fold-planner.ts';
import { celGoTypeName } from './fold-plans.ts';
import { Frame, type Plan } from './frame.ts';
import { listPlan, mapPlan, structPlan } from './literal-plans.ts';
import { andPlan, equalsPlan, notPlan, notStrictlyFalsePlan, optionalOrPlan, orPlan } from './operator-plans.ts';
import { constantNode, type NodePlanner, PlanFailure, type PlannedNode, plainNode } from './planned-node.ts';
import { constantQualifier, indexQualifier, presenceQualifier, type Qualifier } from './qualifier.ts';

/** A plan with the slots of the variables that it reads. */
export interface PlannedProgram {
  readonly plan: Plan;
  /** The slots of an evaluation before it starts. */
  readonly unset: readonly undefined[];
  readonly variables: ReadonlyMap<string, number>;
}

/** Plans an expression. Throws {@link PlanFailure} when a constant part of it cannot be computed. */
export function planProgram(checked: CheckedExpression): PlannedProgram {
  const planner = new Planner(checked);
  const { plan } = planner.node(checked.expression);
  const unset: undefined[] = [];
  for (let slot = 0; slot < planner.slots; slot++) unset.push(undefined);
  return { plan, unset, variables: planner.variables };
}

const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int list map null_type string timestamp type uint'.split(' '),
);

interface LocalVariable {
  readonly name: string;
  readonly slot: number;
  readonly init: Plan | undefined;
}

class Planner implements NodePlanner {
  readonly variables: Map<string, number> = new Map();
  readonly #checked: CheckedExpression;
  readonly #locals: LocalVariable[] = [];
  slots = 0;

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  node(expression: Expression): PlannedNode {
    switch (expression.kind) {
      case 'literal':
        return constantNode(expression.value);
      case 'identifier':
        return this.#name(expression);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        return this.#fold(expression);
      default:
        return expression satisfies never;
    }
  }

  newSlot(): number {
    return this.slots++;
  }

  withVariable<T>(name: string, slot: number, inside: () => T): T {
    return this.#within({ name, slot, init: undefined }, inside);
  }

  withLazyVariable<T>(name: string, slot: number, init: Plan, inside: () => T): T {
    return this.#within({ name, slot, init }, inside);
  }

  #within<T>(variable: LocalVariable, inside: () => T): T {
    this.#locals.push(variable);
    const result = inside();
    this.#locals.pop();
    return result;
  }

  #name(expression: IdentifierExpression | SelectExpression): PlannedNode {
    const reference = this.#checked.references[expression.id];
    if (reference?.kind !== 'name') return plainNode(() => new CelError('no such attribute'));
    const local = this.#locals.findLast(({ name }) => name === reference.name);
    if (local === undefined && reference.value !== undefined) return constantNode(reference.value);
    return attributeNode(rootedAttribute(local === undefined ? this.#variable(reference.name) : localPlan(local)));
  }

  #variable(name: string): Plan {
    let slot = this.variables.get(name);
    if (slot === undefined) {
      slot = this.newSlot();
      this.variables.set(name, slot);
    }
    const at = slot;
    const missing = new CelError(`no such attribute(s): ${name}`);
    return (frame) => {
      const value = frame.slots[at];
      return value === undefined ? missing : value;
    };
  }

  #select(expression: SelectExpression): PlannedNode {
    if (this.#checked.references[expression.id] !== undefined) return this.#name(expression);
    const operand = this.node(expression.operand);
    if (!expression.test) return this.#extend(operand, constantQualifier(expression.field, false));
    const tested = attributeOf(operand).extend(presenceQualifier(expression.field));
    return plainTest(tested);
  }

  #extend(operand: PlannedNode, qualifier: Qualifier): PlannedNode {
    return attributeNode(attributeOf(operand).extend(qualifier));
  }

  #call(call: CallExpression): PlannedNode {
    const target = this.#checked.targetOf(call);
    const nodes = (target === undefined ? call.args : [target, ...call.args]).map((arg) => this.node(arg));
    const [first, second, third] = nodes;
    const reference = this.#checked.references[call.id];
    if (reference?.kind !== 'function') throw new PlanFailure(`unresolved call: ${call.name}`);
    const { declaration, overloads } = reference;
    if (first !== undefined) {
      const operator =
        second === undefined ? unaryOperator(call.name, first) : this.#operator(call, first, second, third);
      if (operator !== undefined) return operator;
      if (second === undefined && CONVERSIONS.has(declaration.name) && first.constant !== undefined) {
        return this.#constantConversion(callPlan(declaration, overloads, [first.plan]));
      }
    }
    const constants = nodes.map(({ constant }) => constant);
    for (const overload of overloads) {
      const failed = overload.checkConstants?.(constants);
      if (failed !== undefined) throw new PlanFailure(failed.message);
    }
    return plainNode(
      callPlan(
        declaration,
        overloads,
        nodes.map(({ plan }) => plan),
      ),
    );
  }

  #operator(
    call: CallExpression,
    first: PlannedNode,
    second: PlannedNode,
    third: PlannedNode | undefined,
  ): PlannedNode | undefined {
    switch (call.name) {
      case '_&&_':
        return plainNode(andPlan(first.plan, second.plan));
      case '_||_':
        return plainNode(orPlan(first.plan, second.plan));
      case '_?_:_':
        if (third === undefined) return undefined;
        return attributeNode(conditionalAttribute(first.plan, branch(second), branch(third)));
      case '_==_':
      case '_!=_':
        return plainNode(equalsPlan(first.plan, second.plan, call.name === '_!=_'));
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#extend(first, indexOf(second, call.name !== '_[_]'));
      case '@in':
        return membership(
          this.#checked.overloadsOf(call).map(({ id }) => id),
          first,
          second,
        );
      case 'or':
      case 'orValue':
        if (call.target === undefined) return undefined;
        return plainNode(optionalOrPlan(first.plan, second.plan, call.name === 'orValue'));
      default:
        return undefined;
    }
  }

  /** Conversions of constants are computed once; one that fails is a mistake of the expression. */
  #constantConversion(plan: Plan): PlannedNode {
    const value = plan(new Frame(Number.POSITIVE_INFINITY, []));
    if (value instanceof CelError) throw new PlanFailure(value.message);
    return constantNode(value);
  }

  #list(expression: ListExpression): PlannedNode {
    const nodes = expression.elements.map((element) => this.node(element));
    const plan = listPlan(
      nodes.map((node) => node.plan),
      expression.optional,
    );
    return constantOr(nodes, plan);
  }

  #map(expression: MapExpression): PlannedNode {
    const nodes = expression.entries.map(({ key, value, optional }) => ({
      key: this.node(key),
      value: this.node(value),
      optional,
    }));
    const plan = mapPlan(nodes.map(({ key, value, optional }) => ({ key: key.plan, value: value.plan, optional })));
    return constantOr(
      nodes.flatMap(({ key, value }) => [key, value]),
      plan,
    );
  }

  #struct(expression: StructExpression): PlannedNode {
    const reference = this.#checked.references[expression.id];
    const typeName = reference?.kind === 'name' ? reference.name : expression.typeName;
    return plainNode(
      structPlan(
        typeName,
        expression.fields.map(({ name, value, optional }) => ({ name, value: this.node(value).plan, optional })),
      ),
    );
  }

  #fold(expression: ComprehensionExpression): PlannedNode {
    return plainNode(planFold(this, expression));
  }
}

function localPlan({ slot, init }: LocalVariable): Plan {
  const unset = new CelError('no such attribute');
  if (init === undefined) {
    return (frame) => {
      const value = frame.slots[slot];
      return value === undefined ? unset : value;
    };
  }
  return (frame) => {
    const known = frame.slots[slot];
    if (known !== undefined) return known;
    const value = init(frame);
    frame.slots[slot] = value;
    return value;
  };
}

function attributeNode(attribute: Attribute): PlannedNode {
  return { plan: chargedPlan(attribute), attribute, constant: undefined };
}

function attributeOf({ attribute, plan }: PlannedNode): Attribute {
  return attribute ?? rootedAttribute(plan);
}

/** A branch of a conditional: an attribute is not charged for itself there. cel-go unwraps optionals inside optionals. */
function branch({ attribute, plan }: PlannedNode): Attribute {
  return attribute ?? rootedAttribute((frame) => flattenOptional(plan(frame)));
}

/** `has(..)` costs its qualifiers only; a test of an optional says whether there is a value. */
function plainTest({ resolve }: Attribute): PlannedNode {
  return plainNode((frame) => {
    const result = resolve(frame);
    return result instanceof CelOptional ? result.value !== undefined : result;
  });
}

function indexOf({ constant, attribute, plan }: PlannedNode, optional: boolean): Qualifier {
  if (constant !== undefined) {
    if (!isPrimitive(constant)) throw new PlanFailure(`invalid qualifier type: ${celGoTypeName(constant)}`);
    return constantQualifier(constant, optional);
  }
  return indexQualifier(attribute === undefined ? plan : attribute.resolve, optional);
}

function unaryOperator(name: string, operand: PlannedNode): PlannedNode | undefined {
  if (name === '!_') return plainNode(notPlan(operand.plan));
  if (name === '@not_strictly_false') return plainNode(notStrictlyFalsePlan(operand.plan));
  return undefined;
}

function constantOr(nodes: readonly PlannedNode[], plan: Plan): PlannedNode {
  if (nodes.some(({ constant }) => constant === undefined)) return plainNode(plan);
  const value = plan(new Frame(Number.POSITIVE_INFINITY, []));
  return value instanceof CelError ? plainNode(() => value) : constantNode(value);
}

/** `x in [constants]` is a look-up that costs nothing; in an empty list there is nothing to look up. */
function membership(overloads: readonly string[], value: PlannedNode, list: PlannedNode): PlannedNode | undefined {
  const { constant } = list;
  if (overloads.length !== 1 || overloads[0] !== 'in_list' || !(constant instanceof CelList)) return undefined;
  if (constant.size === 0) return constantNode(false);
  const keys = new Set<MapKey>();
  for (const item of constant) {
    if (!isPrimitive(item)) return undefined;
    keys.add(mapKey(item));
  }
  return plainNode((frame) => {
    const item = value.plan(frame);
    if (item instanceof CelError) return item;
    return keys.has(mapKey(item));
  });
}

function isPrimitive(value: CelValue): boolean {
  return (typeof value !== 'object' && value !== null) || value instanceof CelDouble || value instanceof CelUint;
}
