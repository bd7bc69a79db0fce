/** Parses an expression into its tree, with macros expanded. */
import { CelDouble, CelUint, intValue } from '../values/cel-value.ts';
import { CelLexer, type TokenKind } from './cel-lexer.ts';
import type { CelIssue } from './cel-source.ts';
import type { Expression, MapEntry, StructField } from './expression.ts';
import { ExpressionNodes, SyntaxLimit } from './expression-nodes.ts';
import type { Macro } from './macro.ts';
import { MacroBuilder, MacroFailure } from './macro-builder.ts';
import { unescapeBytes, unescapeString } from './string-literal.ts';
import { diagnoseSyntax } from './syntax-diagnosis.ts';

/** Macros by name. */
export type MacroTable = ReadonlyMap<string, readonly Macro[]>;

/** The table of macros; later ones come first. */
export function macroTable(macros: readonly Macro[]): MacroTable {
  const table = new Map<string, Macro[]>();
  for (const macro of macros) table.set(macro.name, [macro, ...(table.get(macro.name) ?? [])]);
  return table;
}

function findMacro(macros: readonly Macro[], member: boolean, count: number): Macro | undefined {
  return (
    macros.find((macro) => macro.member === member && macro.arguments === count) ??
    macros.find((macro) => macro.member === member && macro.arguments === 'any')
  );
}

/** A parsed expression. */
export interface ParsedExpression {
  readonly expression: Expression;
  /** The offset in the source by the id of a node. */
  readonly positions: readonly number[];
}

/** What came out of a parse: the tree, or what is wrong. */
export type ParseResult = ParsedExpression | { readonly issues: readonly CelIssue[] };

/** cel-go's limit on the size of an expression, in code points. */
const MAX_CODE_POINTS = 100_000;
/** cel-go's limit on expressions inside one another. */
const MAX_NESTING = 250;

/** Parses `text`. Never throws: every mistake is an issue. */
export function parseExpression(text: string, macros: MacroTable): ParseResult {
  if (text.length > MAX_CODE_POINTS) {
    const size = codePoints(text);
    if (size > MAX_CODE_POINTS) {
      const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
      return { issues: [{ offset: -1, message }] };
    }
  }
  const parser = new Parser(text, macros);
  try {
    const expression = parser.parse();
    if (parser.issues.length > 0) return { issues: parser.issues };
    return { expression, positions: parser.nodes.positions };
  } catch (error) {
    if (error instanceof SyntaxLimit) return { issues: [{ offset: -1, message: error.message }] };
    if (error instanceof SyntaxFailure) return { issues: diagnoseSyntax(text) };
    throw error;
  }
}

/** The first syntax error; a second, slower pass describes it. */
class SyntaxFailure extends Error {}

const RESERVED: ReadonlySet<string> = new Set(
  `as break const continue else false for function if import in let loop package namespace null return true var void while`.split(
    ' ',
  ),
);

class Parser {
  readonly nodes: ExpressionNodes = new ExpressionNodes();
  readonly issues: CelIssue[] = [];
  readonly #lexer: CelLexer;
  readonly #macros: MacroTable;
  #nesting = 0;

  constructor(text: string, macros: MacroTable) {
    this.#lexer = new CelLexer(text, this.issues);
    this.#macros = macros;
  }

  parse(): Expression {
    this.#lexer.next();
    const expression = this.#expression();
    this.#expect('<EOF>');
    return expression;
  }

  #expression(): Expression {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxLimit(`expression recursion limit exceeded: ${MAX_NESTING}`);
    const condition = this.#logical('||');
    const lexer = this.#lexer;
    if (!this.#at('?')) {
      this.#nesting--;
      return condition;
    }
    const id = this.nodes.id(lexer.start);
    lexer.next();
    const yes = this.#logical('||');
    this.#expect(':');
    const no = this.#expression();
    this.#nesting--;
    return this.nodes.call(id, '_?_:_', undefined, [condition, yes, no], true);
  }

  #logical(operator: '||' | '&&'): Expression {
    const first = operator === '||' ? this.#logical('&&') : this.#relation();
    const lexer = this.#lexer;
    if (!this.#at(operator)) return first;
    const terms = [first];
    const ids: number[] = [];
    while (this.#at(operator)) {
      const { start } = lexer;
      lexer.next();
      terms.push(operator === '||' ? this.#logical('&&') : this.#relation());
      ids.push(this.nodes.id(start));
    }
    return this.#balance(operator === '||' ? '_||_' : '_&&_', terms, ids, 0, ids.length - 1);
  }

  /** A chain of one logical operator becomes a balanced tree, so that its depth is logarithmic. */
  #balance(name: string, terms: readonly Expression[], ids: readonly number[], low: number, high: number): Expression {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : this.#balance(name, terms, ids, low, middle - 1);
    const right = middle === high ? terms[middle + 1] : this.#balance(name, terms, ids, middle + 1, high);
    const id = ids[middle];
    if (left === undefined || right === undefined || id === undefined) throw new RangeError('a term is missing');
    return this.nodes.call(id, name, undefined, [left, right], false);
  }

  #relation(): Expression {
    let left = this.#sum();
    for (;;) {
      const name = RELATIONS[this.#lexer.kind];
      if (name === undefined) return left;
      const id = this.nodes.id(this.#lexer.start);
      this.#lexer.next();
      left = this.nodes.call(id, name, undefined, [left, this.#sum()], true);
    }
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const { kind, start } = this.#lexer;
      if (kind !== '+' && kind !== '-') return left;
      const id = this.nodes.id(start);
      this.#lexer.next();
      left = this.nodes.call(id, kind === '+' ? '_+_' : '_-_', undefined, [left, this.#product()], true);
    }
  }

  #product(): Expression {
    let left = this.#unary();
    for (;;) {
      const { kind, start } = this.#lexer;
      if (kind !== '*' && kind !== '/' && kind !== '%') return left;
      const id = this.nodes.id(start);
      this.#lexer.next();
      const name = kind === '*' ? '_*_' : kind === '/' ? '_/_' : '_%_';
      left = this.nodes.call(id, name, undefined, [left, this.#unary()], true);
    }
  }

  #unary(): Expression {
    const lexer = this.#lexer;
    const { kind, start } = lexer;
    if (kind !== '!' && kind !== '-') return this.#member(this.#primary());
    let count = 0;
    while (this.#at(kind)) {
      count++;
      lexer.next();
    }
    if (kind === '-' && count === 1 && (this.#at('NUM_INT') || this.#at('NUM_FLOAT'))) {
      return this.#member(this.#numberLiteral(start, '-'));
    }
    const id = count % 2 === 1 ? this.nodes.id(start) : 0;
    const operand = this.#member(this.#primary());
    return id === 0 ? operand : this.nodes.call(id, kind === '!' ? '!_' : '-_', undefined, [operand], false);
  }

  /** Selections, calls and indices after a primary expression. */
  #member(primary: Expression): Expression {
    const lexer = this.#lexer;
    let expression = primary;
    /** The dotted name that the expression still is; a `{` after it makes a struct. */
    let name = primary.kind === 'identifier' && this.#named ? primary.name : undefined;
    for (;;) {
      if (this.#at('.')) {
        const dot = lexer.start;
        lexer.next();
        const optional = this.#at('?');
        if (optional) lexer.next();
        const field = this.#fieldName();
        const fieldStart = this.#fieldStart;
        if (!optional && this.#at('(') && this.#fieldIsPlain) {
          const id = this.nodes.id(lexer.start);
          expression = this.#call(id, field, expression, this.#arguments());
          name = undefined;
        } else if (optional) {
          const literal = this.nodes.literal(this.nodes.id(fieldStart), field);
          expression = this.nodes.call(this.nodes.id(dot), '_?._', undefined, [expression, literal], true);
          name = undefined;
        } else {
          expression = this.nodes.select(this.nodes.id(dot), expression, field, false);
          if (name !== undefined) name = `${name}.${field}`;
        }
      } else if (this.#at('[')) {
        const id = this.nodes.id(lexer.start);
        lexer.next();
        const optional = this.#at('?');
        if (optional) lexer.next();
        const index = this.#expression();
        this.#expect(']');
        expression = this.#call(id, optional ? '_[?_]' : '_[_]', undefined, [expression, index]);
        name = undefined;
      } else if (this.#at('{') && name !== undefined) {
        expression = this.#struct(name);
        name = undefined;
      } else {
        return expression;
      }
    }
  }

  #named = false;
  #fieldStart = 0;
  #fieldIsPlain = true;

  #fieldName(): string {
    const lexer = this.#lexer;
    const { kind, value } = lexer;
    this.#fieldStart = lexer.start;
    this.#fieldIsPlain = kind === 'IDENTIFIER';
    if (kind === 'ESC_IDENTIFIER') {
      this.issues.push({ offset: lexer.start, message: "unsupported syntax: '`'" });
    } else if (kind !== 'IDENTIFIER') {
      throw new SyntaxFailure();
    }
    lexer.next();
    return value;
  }

  #primary(): Expression {
    const lexer = this.#lexer;
    const { start } = lexer;
    const kind: string = lexer.kind;
    this.#named = false;
    switch (kind) {
      case 'IDENTIFIER':
        return this.#identifier(start, '');
      case '.':
        lexer.next();
        if (!this.#at('IDENTIFIER')) throw new SyntaxFailure();
        return this.#identifier(start, '.');
      case '(': {
        lexer.next();
        const inner = this.#expression();
        this.#expect(')');
        this.#named = false;
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case 'NUM_INT':
      case 'NUM_FLOAT':
        return this.#numberLiteral(start, '');
      case 'NUM_UINT':
        return this.#uintLiteral();
      case 'STRING':
        return this.#stringLiteral();
      case 'BYTES':
        return this.#bytesLiteral();
      case 'true':
      case 'false':
        lexer.next();
        return this.nodes.literal(this.nodes.id(start), kind === 'true');
      case 'null':
        lexer.next();
        return this.nodes.literal(this.nodes.id(start), null);
      default:
        throw new SyntaxFailure();
    }
  }

  #identifier(start: number, prefix: '' | '.'): Expression {
    const lexer = this.#lexer;
    const name = lexer.value;
    const at = lexer.start;
    lexer.next();
    if (this.#at('(')) {
      const id = this.nodes.id(lexer.start);
      const args = this.#arguments();
      if (RESERVED.has(name)) this.#report(start, `reserved identifier: ${name}`);
      return this.#call(id, prefix + name, undefined, args);
    }
    // A reserved word is no variable, but may be the first part of the name of a type.
    if (RESERVED.has(name)) this.#report(start, `reserved identifier: ${name}`);
    this.#named = true;
    return this.nodes.identifier(this.nodes.id(at), prefix + name);
  }

  #arguments(): Expression[] {
    const lexer = this.#lexer;
    lexer.next();
    const args: Expression[] = [];
    if (!this.#at(')')) {
      args.push(this.#expression());
      while (this.#at(',')) {
        lexer.next();
        args.push(this.#expression());
      }
    }
    this.#expect(')');
    return args;
  }

  #call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const member = target !== undefined;
    const macros = this.#macros.get(name);
    const macro = macros === undefined ? undefined : findMacro(macros, member, args.length);
    if (macro !== undefined) {
      const expanded = this.#expand(macro, id, target, args);
      if (expanded !== undefined) return expanded;
    }
    return this.nodes.call(id, name, target, args, member || name.startsWith('_['));
  }

  #expand(
    macro: Macro,
    id: number,
    target: Expression | undefined,
    args: readonly Expression[],
  ): Expression | undefined {
    try {
      return macro.expand(new MacroBuilder(this.nodes, this.nodes.positions[id] ?? 0), target, args);
    } catch (error) {
      if (!(error instanceof MacroFailure)) throw error;
      this.#report(this.nodes.positions[error.at.id] ?? 0, error.message);
      return this.nodes.literal(id, null);
    }
  }

  #list(): Expression {
    const lexer = this.#lexer;
    const id = this.nodes.id(lexer.start);
    lexer.next();
    const elements: Expression[] = [];
    const optional: number[] = [];
    this.#items(']', () => {
      if (this.#at('?')) {
        optional.push(elements.length);
        lexer.next();
      }
      elements.push(this.#expression());
    });
    return this.nodes.list(id, elements, optional);
  }

  #map(): Expression {
    const lexer = this.#lexer;
    const id = this.nodes.id(lexer.start);
    lexer.next();
    const entries: MapEntry[] = [];
    this.#items('}', () => {
      const optional = this.#at('?');
      if (optional) lexer.next();
      const key = this.#expression();
      const colon = this.nodes.id(lexer.start);
      this.#expect(':');
      entries.push({ id: colon, key, value: this.#expression(), optional });
    });
    return this.nodes.map(id, entries);
  }

  #struct(typeName: string): Expression {
    const lexer = this.#lexer;
    const id = this.nodes.id(lexer.start);
    lexer.next();
    const fields: StructField[] = [];
    this.#items('}', () => {
      const optional = this.#at('?');
      if (optional) lexer.next();
      const name = this.#fieldName();
      const colon = this.nodes.id(lexer.start);
      this.#expect(':');
      fields.push({ id: colon, name, value: this.#expression(), optional });
    });
    return this.nodes.struct(id, typeName, fields);
  }

  /** Items between commas up to `end`; one comma may follow the last, or stand alone. */
  #items(end: TokenKind, item: () => void): void {
    const lexer = this.#lexer;
    if (!this.#at(',') && !this.#at(end)) {
      item();
      while (this.#at(',')) {
        lexer.next();
        if (this.#at(end)) break;
        item();
      }
    } else if (this.#at(',')) {
      lexer.next();
    }
    this.#expect(end);
  }

  #numberLiteral(start: number, sign: '' | '-'): Expression {
    const { kind, value } = this.#lexer;
    this.#lexer.next();
    const id = this.nodes.id(start);
    if (kind === 'NUM_FLOAT') {
      const double = Number(sign + value);
      if (!Number.isFinite(double)) this.#report(start, 'invalid double literal');
      return this.nodes.literal(id, new CelDouble(double));
    }
    if (value.length < 15 && !value.startsWith('0x')) {
      const int = Number(value);
      return this.nodes.literal(id, sign === '-' ? 0 - int : int);
    }
    const int = intValue(sign === '-' ? -BigInt(value) : BigInt(value));
    if (int === undefined) this.#report(start, 'invalid int literal');
    return this.nodes.literal(id, int ?? 0);
  }

  #uintLiteral(): Expression {
    const { value, start } = this.#lexer;
    this.#lexer.next();
    const uint = BigInt(value.slice(0, -1));
    if (uint >= 2n ** 64n) this.#report(start, 'invalid uint literal');
    return this.nodes.literal(this.nodes.id(start), new CelUint(uint));
  }

  #stringLiteral(): Expression {
    const { value, start } = this.#lexer;
    this.#lexer.next();
    const unescaped = unescapeString(value);
    if ('error' in unescaped) this.#report(start, unescaped.error);
    return this.nodes.literal(this.nodes.id(start), 'error' in unescaped ? value : unescaped.value);
  }

  #bytesLiteral(): Expression {
    const { value, start } = this.#lexer;
    this.#lexer.next();
    const unescaped = unescapeBytes(value.slice(1));
    if ('error' in unescaped) this.#report(start, unescaped.error);
    return this.nodes.literal(this.nodes.id(start), 'error' in unescaped ? new Uint8Array() : unescaped.value);
  }

  /** Is the current token of this kind? */
  #at(kind: TokenKind): boolean {
    return this.#lexer.kind === kind;
  }

  #expect(kind: TokenKind): void {
    if (this.#lexer.kind !== kind) throw new SyntaxFailure();
    this.#lexer.next();
  }

  #report(offset: number, message: string): void {
    this.issues.push({ offset, message });
  }
}

const RELATIONS: Readonly<Partial<Record<TokenKind, string>>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>=': '_>=_',
  '>': '_>_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
};

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
