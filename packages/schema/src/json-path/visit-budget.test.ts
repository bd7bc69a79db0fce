import { describe, expect, it } from 'vitest';
import { JsonPath } from './path-template.ts';
import { ROW_VISITS, VisitBudget } from './visit-budget.ts';

const ROW = ROW_VISITS;

describe('the budget of a Table', () => {
  it('is spent in a row that looks at more values than a row may', () => {
    const budget = new VisitBudget(10 * ROW);
    budget.nextRow();
    budget.spend(ROW - 1);
    expect(budget.isSpent).toBe(false);
    budget.spend(1);
    expect(budget.isSpent).toBe(true);
    budget.nextRow();
    expect(budget.isSpent).toBe(false);
  });

  it('leaves each row its own share when the others have spent everything', () => {
    const budget = new VisitBudget(2 * ROW);
    for (let row = 0; row < 10; row += 1) {
      budget.nextRow();
      budget.spend(ROW);
    }
    budget.nextRow();
    expect(budget.isSpent).toBe(false);
    budget.spend(4000);
    expect(budget.isSpent).toBe(true);
  });

  it('does not grow above its maximum with rows that cost nothing', () => {
    const budget = new VisitBudget(5000);
    for (let row = 0; row < 10; row += 1) budget.nextRow();
    budget.spend(5000);
    expect(budget.isSpent).toBe(true);
  });

  it('counts the characters of cells', () => {
    const budget = new VisitBudget();
    budget.spendText(16 * ROW);
    expect(budget.isSpent).toBe(true);
  });

  it('asks for a break after a part of a row', () => {
    const budget = new VisitBudget();
    budget.spend(10);
    expect(budget.takesBreak()).toBe(false);
    budget.spend(ROW / 2);
    expect([budget.isBreakDue, budget.takesBreak(), budget.isBreakDue]).toEqual([true, true, false]);
  });
});

describe('a path', () => {
  it.each([
    ['the bytes of a text', '{.text.*}', { text: 'x'.repeat(ROW) }],
    ['parts of a list', '{.list[0:90000]}{.list[0:90000]}', { list: Array(90_000).fill(0) }],
    ['all values below all values', '{..a..a..a}', nested(100)],
  ])('that looks at %s spends the budget before it has done the work', (_, template, value) => {
    const budget = new VisitBudget();
    expect(() => new JsonPath(template).find(value, { allowsMissing: true, budget })).toThrow('too many values');
  });

  it('in a filter that spends the budget is an error, not a value that is missing', () => {
    const value = { list: [nested(100), nested(100)] };
    expect(() => new JsonPath('{.list[?(@..a..a..a)]}').find(value)).toThrow('too many values');
  });
});

function nested(levels: number): object {
  let value: object = { leaf: 'x' };
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}
