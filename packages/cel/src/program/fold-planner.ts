/** Recognizes the folds of macros and plans each as a loop of its own. */
import type { ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { ACCUMULATOR } from '../syntax/macro-builder.ts';
import { MAP_INSERT } from '../syntax/two-variable-macros.ts';
import {
  collectListPlan,
  collectMapPlan,
  existsOnePlan,
  generalFoldPlan,
  iteration,
  quantifierPlan,
} from './fold-plans.ts';
import type { Plan } from './frame.ts';
import type { NodePlanner } from './planned-node.ts';

/** The cost of a list literal; one of constants costs nothing. */
const LIST_COST = 10;

/** Plans a fold. */
export function planFold(planner: NodePlanner, fold: ComprehensionExpression): Plan {
  const range = planner.node(fold.range).plan;
  const slot = planner.newSlot();
  const slot2 = fold.variable2 === undefined ? undefined : planner.newSlot();
  const iterate = iteration(slot, slot2);
  const inLoop = <T>(inside: () => T): T =>
    planner.withVariable(fold.variable, slot, () =>
      fold.variable2 === undefined || slot2 === undefined
        ? inside()
        : planner.withVariable(fold.variable2, slot2, inside),
    );
  const loopPlan = (expression: Expression): Plan => inLoop(() => planner.node(expression).plan);
  const shape = fold.accumulator === ACCUMULATOR && isAccumulator(fold.result) ? shapeOf(fold) : undefined;
  if (shape?.kind === 'quantifier') return quantifierPlan(range, iterate, loopPlan(shape.predicate), shape.stop);
  if (shape?.kind === 'list') {
    const element = inLoop(() => planner.node(shape.element));
    const filter = shape.filter === undefined ? undefined : loopPlan(shape.filter);
    return collectListPlan(range, iterate, filter, element.plan, element.constant === undefined ? LIST_COST : 0);
  }
  if (shape?.kind === 'map') {
    const filter = shape.filter === undefined ? undefined : loopPlan(shape.filter);
    const [first, second] = shape.args.map(loopPlan);
    if (first !== undefined) {
      return collectMapPlan(
        range,
        iterate,
        filter,
        second === undefined ? { entries: first } : { key: first, value: second },
      );
    }
  }
  const one = fold.accumulator === ACCUMULATOR ? existsOnePredicate(fold) : undefined;
  if (one !== undefined) return existsOnePlan(range, iterate, loopPlan(one));
  return planGeneral(planner, fold, range, slot, slot2);
}

function planGeneral(
  planner: NodePlanner,
  fold: ComprehensionExpression,
  range: Plan,
  slot: number,
  slot2: number | undefined,
): Plan {
  const init = planner.node(fold.init).plan;
  const accumulator = planner.newSlot();
  return planner.withLazyVariable(fold.accumulator, accumulator, init, () => {
    const [condition, step] = planner.withVariable(fold.variable, slot, () => {
      const both = (): readonly [Plan, Plan] => [planner.node(fold.condition).plan, planner.node(fold.step).plan];
      return fold.variable2 === undefined || slot2 === undefined
        ? both()
        : planner.withVariable(fold.variable2, slot2, both);
    });
    const result = planner.node(fold.result).plan;
    return generalFoldPlan(range, iteration(slot, slot2), accumulator, { condition, step, result });
  });
}

type Shape =
  | { readonly kind: 'quantifier'; readonly stop: boolean; readonly predicate: Expression }
  | { readonly kind: 'list'; readonly filter: Expression | undefined; readonly element: Expression }
  | { readonly kind: 'map'; readonly filter: Expression | undefined; readonly args: readonly Expression[] };

function shapeOf({ init, condition, step }: ComprehensionExpression): Shape | undefined {
  if (step.kind !== 'call') return undefined;
  const [first, second, third] = step.args;
  if (init.kind === 'literal') {
    if (step.args.length !== 2 || second === undefined || !isAccumulator(first) || condition.kind !== 'call') {
      return undefined;
    }
    if (init.value === true && step.name === '_&&_') return { kind: 'quantifier', stop: false, predicate: second };
    if (init.value === false && step.name === '_||_') return { kind: 'quantifier', stop: true, predicate: second };
    return undefined;
  }
  if (condition.kind !== 'literal' || condition.value !== true) return undefined;
  if (step.name === '_?_:_') {
    if (!isAccumulator(third) || second === undefined) return undefined;
    return collected(init, second, first);
  }
  return collected(init, step, undefined);
}

function collected(init: Expression, step: Expression, filter: Expression | undefined): Shape | undefined {
  if (step.kind !== 'call' || !isAccumulator(step.args[0])) return undefined;
  if (init.kind === 'map' && init.entries.length === 0 && step.name === MAP_INSERT) {
    return { kind: 'map', filter, args: step.args.slice(1) };
  }
  const added = step.args[1];
  if (init.kind !== 'list' || init.elements.length > 0 || step.name !== '_+_' || added?.kind !== 'list')
    return undefined;
  const [element] = added.elements;
  if (element === undefined || added.elements.length !== 1 || added.optional.length > 0) return undefined;
  return { kind: 'list', filter, element };
}

function existsOnePredicate({ init, step, result }: ComprehensionExpression): Expression | undefined {
  if (init.kind !== 'literal' || init.value !== 0 || step.kind !== 'call' || step.name !== '_?_:_') return undefined;
  const [predicate, , otherwise] = step.args;
  if (!isAccumulator(otherwise) || result.kind !== 'call' || result.name !== '_==_') return undefined;
  return predicate;
}

function isAccumulator(expression: Expression | undefined): boolean {
  return expression?.kind === 'identifier' && expression.name === ACCUMULATOR;
}
