// Faults that people make, one edit each: a condition turned round, a call or a block left out, an operator that is nearly the right one.
// TypeScript 7 has no API for programs yet; the older line that attw brings along parses the same sources.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const attw = fileURLToPath(new URL('../../node_modules/@arethetypeswrong/core', import.meta.url));
const ts = require(require.resolve('typescript', { paths: [attw] }));

/** What stands instead of an operator. */
const OPERATORS = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
};

/** Methods that are easily taken for one another. */
const METHODS = new Map([
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
  ['indexOf', 'lastIndexOf'],
]);

/** Methods that give back something like what they are called on. */
const LEFT_OUT = new Set([
  'filter',
  'slice',
  'subarray',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'concat',
]);

/** Nearly the right operators: they differ where both sides are equal, which two times with fractions never are. */
const NEIGHBOURS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const EXACT_TIME = 'performance.now()';

/** Calls that a test cannot notice: a process that lives a little longer. */
const UNSEEN = new Set(['unref']);

/** Every fault that can be planted in a source, and its functions. */
export function plantedFaults(source) {
  const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const faults = [];
  const places = [];
  const names = new Map();

  const plant = (node, replacement, what, place) => {
    const start = node.getStart(tree);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(start, node.end).replaceAll(/\s+/gu, ' ').slice(0, 60);
    faults.push({ line, start, end: node.end, replacement, what: `${what}: ${text}`, place });
  };

  const visit = (node, place, chain) => {
    if (isSilent(node)) return;
    let [inner, links] = [place, chain];
    const named = nameOf(node);
    if (named !== undefined) links = chain === '' ? named : `${chain}.${named}`;
    if (ts.isFunctionLike(node) && node.body !== undefined && ts.isBlock(node.body)) {
      const name = links === '' ? '()' : links;
      const count = names.get(name) ?? 0;
      names.set(name, count + 1);
      inner = count === 0 ? name : `${name}~${count}`;
      places.push({ place: inner, offset: node.body.getStart(tree) + 1 });
    }
    plantAt(node, (target, replacement, what) => plant(target, replacement, what, inner), tree);
    ts.forEachChild(node, (child) => visit(child, inner, links));
  };
  visit(tree, '', '');
  return { faults, places };
}

/** Can this be a source? What cannot is no fault that somebody could make. */
export function isSyntax(source) {
  return (
    ts.createSourceFile('source.ts', source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS).parseDiagnostics.length ===
    0
  );
}

/** Types, imports and the texts of errors: no program behaves otherwise by them. */
function isSilent(node) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  return ts.isThrowStatement(node);
}

function nameOf(node) {
  if (
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node)
  )
    return node.kind === ts.SyntaxKind.Constructor ? 'constructor' : node.name?.getText();
  return undefined;
}

function plantAt(node, plant, tree) {
  if (ts.isBinaryExpression(node)) plantOperator(node, plant, tree);
  else if (ts.isIfStatement(node)) plantCondition(node.expression, plant, ['true', 'false']);
  else if (ts.isConditionalExpression(node)) plantCondition(node.condition, plant, ['true', 'false']);
  else if (ts.isWhileStatement(node)) plantCondition(node.expression, plant, ['false']);
  else if (ts.isForStatement(node) && node.condition !== undefined) plantCondition(node.condition, plant, ['false']);
  else if (ts.isBlock(node)) plantBlock(node, plant);
  else if (ts.isExpressionStatement(node)) plantStatement(node, plant);
  else if (ts.isCallExpression(node)) plantCall(node, plant, tree);
  else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) plantArrow(node, plant);
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) plantLiteral(node, '[]', plant);
  else if (ts.isPrefixUnaryExpression(node)) plantUnary(node, plant, tree);
  else if (ts.isPostfixUnaryExpression(node)) plantUnary(node, plant, tree);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) plant(node, 'false', 'the other value');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) plant(node, 'true', 'the other value');
}

function plantOperator(node, plant, tree) {
  const operator = node.operatorToken.getText(tree);
  const joinsText = [node.left, node.right].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
  );
  if (operator === '+' && joinsText) return;
  const [left, right] = [node.left.getText(tree), node.right.getText(tree)];
  const isOfTime = left.includes(EXACT_TIME) || right.includes(EXACT_TIME);
  for (const other of OPERATORS[operator] ?? []) {
    if (isOfTime && NEIGHBOURS.get(operator) === other) continue;
    // `a || b && c` and `a ?? b || c` need parentheses that the source may not have.
    plant(node, `((${left}) ${other} (${right}))`, `${operator} becomes ${other}`);
  }
}

function plantCondition(condition, plant, values) {
  if (condition.kind === ts.SyntaxKind.TrueKeyword) return;
  for (const value of values) plant(condition, value, `always ${value}`);
}

function plantBlock(node, plant) {
  if (node.statements.length === 0 || node.statements.some(callsSuper)) return;
  plant(node, '{}', 'an empty block');
}

function plantStatement(node, plant) {
  let call = node.expression;
  if (ts.isAwaitExpression(call) || ts.isVoidExpression(call)) call = call.expression;
  if (!ts.isCallExpression(call) || callsSuper(node)) return;
  if (ts.isPropertyAccessExpression(call.expression) && UNSEEN.has(call.expression.name.text)) return;
  // The block around a single statement is a fault of its own.
  if (ts.isBlock(node.parent) && node.parent.statements.length === 1) return;
  plant(node, ';', 'left out');
}

function callsSuper(node) {
  return (
    ts.isExpressionStatement(node) &&
    ts.isCallExpression(node.expression) &&
    node.expression.expression.kind === ts.SyntaxKind.SuperKeyword
  );
}

function plantCall(node, plant, tree) {
  const method = node.expression;
  if (node.questionDotToken !== undefined || !ts.isPropertyAccessExpression(method)) return;
  const name = method.name.text;
  const other = METHODS.get(name);
  if (other !== undefined) plant(method.name, other, `${other} for`);
  if (LEFT_OUT.has(name)) plant(node, method.expression.getText(tree), 'without its last call');
}

function plantArrow(node, plant) {
  if (node.body.kind === ts.SyntaxKind.Identifier && node.body.text === 'undefined') return;
  plant(node.body, 'undefined', 'gives undefined');
}

function plantLiteral(node, replacement, plant) {
  // `const [a, b] = ...` looks the same where it is assigned to.
  if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return;
  if (ts.isForOfStatement(node.parent) && node.parent.initializer === node) return;
  plant(node, replacement, 'empty');
}

function plantUnary(node, plant, tree) {
  const operand = node.operand.getText(tree);
  if (node.operator === ts.SyntaxKind.ExclamationToken) plant(node, `(${operand})`, 'without !');
  if (node.operator === ts.SyntaxKind.MinusToken && !ts.isNumericLiteral(node.operand))
    plant(node, operand, 'without -');
  const isPrefix = ts.isPrefixUnaryExpression(node);
  if (node.operator === ts.SyntaxKind.PlusPlusToken)
    plant(node, isPrefix ? `--${operand}` : `${operand}--`, '-- for ++');
  if (node.operator === ts.SyntaxKind.MinusMinusToken)
    plant(node, isPrefix ? `++${operand}` : `${operand}++`, '++ for --');
}
