/** Checks the types of a parsed expression, as cel-go does: one pass, with unification for type parameters. */

import type { ParsedExpression } from '../syntax/cel-parser.ts';
import type { CelIssue } from '../syntax/cel-source.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  LiteralExpression,
  MapExpression,
  SelectExpression,
  StructExpression,
} from '../syntax/expression.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  listType,
  mapType,
  NULL,
  optionalType,
  STRING,
  UINT,
} from '../types/cel-type.ts';
import { formatSignature, formatType } from '../types/format-type.ts';
import {
  isDyn,
  isOptionalType,
  mostGeneral,
  parameter,
  sameType,
  TypeBindings,
  unwrapOptional,
} from '../types/type-relations.ts';
import { CelDouble, CelUint, isInt } from '../values/cel-value.ts';
import { CheckedExpression, qualifiedName, type Reference, rootName } from './checked-expression.ts';
import type {
  Declarations,
  DeclaredFunction,
  DeclaredName,
  DeclaredOverload,
  FunctionReference,
  ResolvedCall,
} from './declarations.ts';

/** What came out of a check. */
export interface CheckResult {
  readonly checked: CheckedExpression;
  readonly issues: readonly CelIssue[];
  /** Are there literals that {@link checkLiterals} must look at? */
  readonly hasCheckedLiterals: boolean;
  /** Are there constants whose computation can fail, so that a program must be planned before it is known to be valid? */
  readonly hasFallibleConstants: boolean;
}

/** Checks an expression. Never throws: every mistake is an issue. */
export function checkExpression(parsed: ParsedExpression, declarations: Declarations): CheckResult {
  const checker = new TypeChecker(parsed, declarations);
  return checker.run();
}

/** Macros that make maps of maps double a type each time. */
const MAX_TYPE_SIZE = 500;

class TypeChecker {
  readonly #parsed: ParsedExpression;
  readonly #declarations: Declarations;
  readonly #bindings: TypeBindings = new TypeBindings();
  readonly #types: (CelType | undefined)[] = [];
  readonly #references: (Reference | undefined)[] = [];
  readonly #issues: CelIssue[] = [];
  #hasCheckedLiterals = false;
  #hasFallibleConstants = false;
  /** The variables of the folds around the current node, innermost last. */
  readonly #locals: DeclaredName[] = [];

  constructor(parsed: ParsedExpression, declarations: Declarations) {
    this.#parsed = parsed;
    this.#declarations = declarations;
  }

  run(): CheckResult {
    const { expression, positions } = this.#parsed;
    this.#check(expression);
    for (let id = 1; id < this.#types.length; id++) {
      const type = this.#types[id];
      if (type !== undefined) this.#types[id] = this.#bindings.substitute(type, true);
    }
    return {
      checked: new CheckedExpression(expression, positions, this.#types, this.#references),
      issues: this.#issues,
      hasCheckedLiterals: this.#hasCheckedLiterals,
      hasFallibleConstants: this.#hasFallibleConstants,
    };
  }

  #check(expression: Expression): CelType {
    let type = this.#typeFor(expression);
    if (type.size > MAX_TYPE_SIZE) {
      this.#report(expression.id, `type of ${type.size} parts exceeds limit: ${MAX_TYPE_SIZE}`);
      type = ERROR;
    }
    this.#types[expression.id] = type;
    return type;
  }

  #typeFor(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression);
      case 'identifier': {
        const found = this.#find(expression.name);
        if (found !== undefined) {
          this.#references[expression.id] = found;
          return found.type;
        }
        this.#undeclared(expression, expression.name);
        return ERROR;
      }
      case 'select':
        return this.#checkSelect(expression);
      case 'call':
        return this.#checkCall(expression);
      case 'list':
        return this.#checkList(expression);
      case 'map':
        return this.#checkMap(expression);
      case 'struct':
        return this.#checkStruct(expression);
      case 'comprehension':
        return this.#checkComprehension(expression);
      default:
        return expression satisfies never;
    }
  }

  /** A variable of a fold, or a declared name. */
  #find(name: string): DeclaredName | undefined {
    for (let at = this.#locals.length - 1; at >= 0; at--) {
      const local = this.#locals[at];
      if (local?.name === name) return local;
    }
    return this.#declarations.findName(name);
  }

  #checkSelect(expression: SelectExpression): CelType {
    if (!expression.test && this.#mayQualify(expression)) {
      const name = qualifiedName(expression);
      const found = name === undefined ? undefined : this.#find(name);
      if (found !== undefined) {
        this.#references[expression.id] = found;
        return found.type;
      }
    }
    const type = this.#fieldType(expression, expression.operand, expression.field, false);
    return expression.test ? BOOL : this.#bindings.substitute(type, false);
  }

  /** May the expression be a name with dots? Most are fields of variables. */
  #mayQualify(expression: Expression): boolean {
    const root = rootName(expression);
    if (root === undefined) return false;
    for (const { name } of this.#locals) if (name === root) return this.#declarations.hasPrefix(root);
    return this.#declarations.mayQualify(root);
  }

  #fieldType(at: Expression, operand: Expression, field: string, optional: boolean): CelType {
    const operandType = this.#bindings.substitute(this.#check(operand), false);
    const target = unwrapOptional(operandType);
    let result: CelType = DYN;
    if (target.kind === 'map') {
      result = parameter(target, 1);
    } else if (target.kind === 'object') {
      result = this.#declaredField(at.id, target.name, field) ?? ERROR;
    } else if (target.kind === 'parameter') {
      this.#bindings.assignable(DYN, target);
    } else if (!isDyn(target) && target.kind !== 'error') {
      this.#report(at.id, `type '${formatType(target)}' does not support field selection`);
    }
    return optional || isOptionalType(operandType) ? optionalType(result) : result;
  }

  #declaredField(id: number, typeName: string, field: string): CelType | undefined {
    const fields = this.#declarations.objectTypes.fields(typeName);
    if (fields === undefined) {
      this.#report(id, `unexpected failed resolution of '${typeName}'`);
      return undefined;
    }
    const type = fields.get(field);
    if (type === undefined) this.#report(id, `undefined field '${field}'`);
    return type;
  }

  #checkCall(call: CallExpression): CelType {
    if (call.name === '_?._') return this.#checkOptionalSelect(call);
    const { target, args } = call;
    for (const arg of args) this.#check(arg);
    if (target === undefined) {
      const declaration = this.#declarations.findFunction(call.name);
      if (declaration !== undefined) return this.#resolve(call, declaration, undefined, false);
      this.#undeclared(call, call.name);
      return ERROR;
    }
    const prefix = this.#mayQualify(target) ? qualifiedName(target) : undefined;
    if (prefix !== undefined) {
      const declaration = this.#declarations.findFunction(`${prefix}.${call.name}`);
      if (declaration !== undefined) return this.#resolve(call, declaration, undefined, true);
    }
    this.#check(target);
    const declaration = this.#declarations.findFunction(call.name);
    if (declaration !== undefined) return this.#resolve(call, declaration, target, false);
    this.#undeclared(call, call.name);
    return ERROR;
  }

  #checkOptionalSelect(call: CallExpression): CelType {
    const [operand, field] = call.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') {
      this.#report(call.id, 'unsupported optional field selection');
      return ERROR;
    }
    this.#types[field.id] = STRING;
    const type = this.#fieldType(call, operand, field.value, true);
    const declaration = this.#declarations.findFunction('_?._');
    if (declaration !== undefined) {
      this.#references[call.id] = { kind: 'function', declaration, overloads: declaration.overloads, qualified: false };
    }
    return this.#bindings.substitute(type, false);
  }

  #resolve(
    call: CallExpression,
    declaration: DeclaredFunction,
    target: Expression | undefined,
    qualified: boolean,
  ): CelType {
    const types: CelType[] = [];
    if (target !== undefined) types.push(this.#types[target.id] ?? ERROR);
    for (const arg of call.args) types.push(this.#types[arg.id] ?? ERROR);
    if (call.name === '_&&_' || call.name === '_||_') return this.#resolveLogical(call, declaration, types);
    const key = qualified ? undefined : plainKey(types, target !== undefined);
    const known = key === undefined ? undefined : declaration.resolved.get(key);
    if (known !== undefined) return this.#resolvedTo(call, declaration, known);
    const matching: DeclaredOverload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if ((overload.member === true) !== (target !== undefined)) continue;
      if (overload.args.length !== types.length || cannotFit(overload.args, types)) continue;
      const signature = this.#instantiate(overload);
      if (!this.#bindings.assignableAll(types, signature.args)) continue;
      matching.push(overload);
      const type = this.#bindings.substitute(signature.result, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = DYN;
    }
    if (result === undefined) {
      const shown = types.map((type) => this.#bindings.substitute(type, true));
      const signature = formatSignature(shown, target !== undefined);
      this.#report(call.id, `found no matching overload for '${declaration.name}' applied to '${signature}'`);
      return ERROR;
    }
    const reference: FunctionReference = { kind: 'function', declaration, overloads: matching, qualified };
    const resolved = { reference, result };
    if (key !== undefined && PLAIN.has(result.kind)) declaration.resolved.set(key, resolved);
    return this.#resolvedTo(call, declaration, resolved);
  }

  #resolvedTo(call: CallExpression, declaration: DeclaredFunction, { reference, result }: ResolvedCall): CelType {
    if (declaration.isFallible) {
      this.#hasFallibleConstants = true;
      this.#hasCheckedLiterals = true;
    }
    this.#references[call.id] = reference;
    return result;
  }

  #resolveLogical(call: CallExpression, declaration: DeclaredFunction, types: readonly CelType[]): CelType {
    let valid = true;
    for (const [index, type] of types.entries()) {
      if (this.#bindings.assignable(type, BOOL)) continue;
      this.#report(call.args[index]?.id ?? call.id, `expected type 'bool' but found '${formatType(type)}'`);
      valid = false;
    }
    if (!valid) return ERROR;
    this.#references[call.id] = { kind: 'function', declaration, overloads: declaration.overloads, qualified: false };
    return BOOL;
  }

  /** The signature with new type parameters in place of its own. */
  #instantiate(overload: DeclaredOverload): { readonly args: readonly CelType[]; readonly result: CelType } {
    if (overload.typeParameters.length === 0) return overload;
    const fresh = new Map<string, CelType>();
    for (const name of overload.typeParameters) fresh.set(name, this.#bindings.fresh());
    return {
      args: overload.args.map((type) => replaceParameters(type, fresh)),
      result: replaceParameters(overload.result, fresh),
    };
  }

  #checkList({ elements, optional }: ListExpression): CelType {
    if (elements.length > 1) this.#hasCheckedLiterals = true;
    let joined: CelType | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#check(element);
      const item = optional.includes(index) ? this.#optionalItem(element, type) : type;
      joined = this.#join(joined, item);
    }
    return listType(joined ?? this.#bindings.fresh());
  }

  #checkMap({ entries }: MapExpression): CelType {
    if (entries.length > 1) this.#hasCheckedLiterals = true;
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of entries) {
      keys = this.#join(keys, this.#check(key));
      const type = this.#check(value);
      values = this.#join(values, optional ? this.#optionalItem(value, type) : type);
    }
    if (keys === undefined || values === undefined) return mapType(this.#bindings.fresh(), this.#bindings.fresh());
    return mapType(keys, values);
  }

  #optionalItem(item: Expression, type: CelType): CelType {
    if (!isOptionalType(type) && !isDyn(type)) this.#mismatch(item, optionalType(type), type);
    return unwrapOptional(type);
  }

  #checkStruct(struct: StructExpression): CelType {
    const found = this.#find(struct.typeName);
    if (found === undefined) {
      this.#undeclared(struct, struct.typeName);
      return ERROR;
    }
    let result = ERROR;
    if (found.type.kind !== 'type') {
      if (found.type.kind !== 'error') this.#report(struct.id, `'${formatType(found.type)}' is not a type`);
    } else {
      const type = parameter(found.type, 0);
      if (type.kind === 'object') {
        result = type;
        this.#references[struct.id] = { kind: 'name', name: found.name, value: type };
      } else {
        this.#report(struct.id, `'${formatType(type)}' is not a message type`);
      }
    }
    for (const { id, name, value, optional } of struct.fields) {
      const valueType = this.#check(value);
      const field = result === ERROR ? undefined : this.#declaredField(id, result.name, name);
      const given = optional ? this.#optionalItem(value, valueType) : valueType;
      if (!this.#bindings.assignable(field ?? ERROR, given)) {
        const expected = formatType(field ?? ERROR);
        const message = `expected type of field '${name}' is '${expected}' but provided type is '${formatType(given)}'`;
        this.#report(id, message);
      }
    }
    return result;
  }

  #checkComprehension(fold: ComprehensionExpression): CelType {
    const range = this.#bindings.substitute(this.#check(fold.range), false);
    // The result of `init` is unknown before the range is checked: both see the scope around the fold.
    const accumulator = this.#check(fold.init);
    const [first, second] = this.#variableTypes(fold, range);
    const depth = this.#locals.length;
    this.#locals.push(localName(fold.accumulator, accumulator), localName(fold.variable, first));
    if (fold.variable2 !== undefined) this.#locals.push(localName(fold.variable2, second));
    this.#assert(fold.condition, BOOL);
    this.#assert(fold.step, accumulator);
    this.#locals.length = depth + 1;
    const result = this.#check(fold.result);
    this.#locals.length = depth;
    return this.#bindings.substitute(result, false);
  }

  #variableTypes(fold: ComprehensionExpression, range: CelType): readonly [first: CelType, second: CelType] {
    switch (range.kind) {
      case 'list': {
        const element = parameter(range, 0);
        return fold.variable2 === undefined ? [element, DYN] : [INT, element];
      }
      case 'map':
        return [parameter(range, 0), parameter(range, 1)];
      case 'any':
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#bindings.assignable(DYN, range);
        return [DYN, DYN];
      case 'bool':
      case 'bytes':
      case 'double':
      case 'duration':
      case 'int':
      case 'null':
      case 'object':
      case 'opaque':
      case 'string':
      case 'timestamp':
      case 'type':
      case 'uint':
      case 'wrapper':
        this.#report(
          fold.range.id,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
      default:
        return range.kind satisfies never;
    }
  }

  #assert(expression: Expression, expected: CelType): void {
    const type = this.#check(expression);
    if (!this.#bindings.assignable(expected, type)) this.#mismatch(expression, expected, type);
  }

  /** The common type of the items of a literal: `dyn` for different types, which `checkLiterals` may refuse. */
  #join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    return this.#bindings.assignable(before, type) ? mostGeneral(before, type) : DYN;
  }

  #mismatch(at: Expression, expected: CelType, found: CelType): void {
    this.#report(at.id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #undeclared(at: Expression, name: string): void {
    this.#report(at.id, `undeclared reference to '${name}' (in container '${this.#declarations.container}')`);
  }

  #report(id: number, message: string): void {
    this.#issues.push({ offset: this.#parsed.positions[id] ?? -1, message });
  }
}

function localName(name: string, type: CelType): DeclaredName {
  return { kind: 'name', name, type, value: undefined };
}

/** Does a plain type stand where another plain type is declared? Then no binding of parameters can help. */
function cannotFit(declared: readonly CelType[], types: readonly CelType[]): boolean {
  for (let index = 0; index < types.length; index++) {
    const kind = types[index]?.kind ?? '';
    const wanted = declared[index]?.kind ?? '';
    if (kind !== wanted && DECIDED.has(kind) && DECIDED.has(wanted)) return true;
  }
  return false;
}

/** The types of a call as text when none of them has or binds parameters; such calls always resolve to the same. */
function plainKey(types: readonly CelType[], member: boolean): string | undefined {
  let key = member ? '.' : '';
  for (const { kind } of types) {
    if (!PLAIN.has(kind)) return undefined;
    key += kind;
  }
  return key;
}

/** Kinds of which no two different ones are assignable to each other. */
const DECIDED: ReadonlySet<string> = new Set(
  'bool bytes double duration int list map object string timestamp uint'.split(' '),
);

const PLAIN: ReadonlySet<string> = new Set('bool bytes double duration int string timestamp uint'.split(' '));

function literalType({ value }: LiteralExpression): CelType {
  if (isInt(value)) return INT;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return BOOL;
  if (value === null) return NULL;
  if (value instanceof CelDouble) return DOUBLE;
  return value instanceof CelUint ? UINT : BYTES;
}

function replaceParameters(type: CelType, by: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === 'parameter') return by.get(type.name) ?? type;
  if (type.parameters.length === 0) return type;
  return type.with(type.parameters.map((inner) => replaceParameters(inner, by)));
}
