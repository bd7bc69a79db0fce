/** Describes syntax errors as cel-go does: the grammar again, rule by rule, with the recovery of its generated parser. */
import type { TokenKind } from './cel-lexer.ts';
import type { CelIssue } from './cel-source.ts';
import { DiagnosisLimit, type Expected, RecoveringTokens } from './error-recovery.ts';

/** The syntax errors of a text that does not parse. */
export function diagnoseSyntax(text: string): readonly CelIssue[] {
  const tokens = new RecoveringTokens(text);
  try {
    new Diagnosis(tokens).start();
  } catch (error) {
    if (!(error instanceof DiagnosisLimit)) throw error;
    if (error.message !== '') tokens.issues.push({ offset: -1, message: error.message });
  }
  if (tokens.issues.length === 0) tokens.issues.push({ offset: 0, message: 'Syntax error' });
  return tokens.issues;
}

const MAX_NESTING = 250;

const LITERALS: readonly TokenKind[] = ['true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES'];
const PRIMARY: readonly TokenKind[] = ['[', '{', '(', '.', '-', ...LITERALS, 'IDENTIFIER'];
const EXPRESSION: readonly TokenKind[] = [...PRIMARY, '!'];
const RELATIONS: readonly TokenKind[] = ['==', '!=', 'in', '<', '<=', '>=', '>'];
const CALCULATIONS: readonly TokenKind[] = ['+', '-', '*', '/', '%'];
const FIELD: readonly TokenKind[] = ['IDENTIFIER', 'ESC_IDENTIFIER'];

const exactly = (...kinds: readonly TokenKind[]): Expected => ({ kinds, ends: false });
const orEnd = (...kinds: readonly TokenKind[]): Expected => ({ kinds, ends: true });
const END: Expected = orEnd();

class Diagnosis {
  readonly #tokens: RecoveringTokens;
  #nesting = 0;

  constructor(tokens: RecoveringTokens) {
    this.#tokens = tokens;
  }

  start(): void {
    this.#tokens.rule('start', END, () => {
      this.#expression(exactly('<EOF>'));
      this.#tokens.match('<EOF>', exactly());
    });
  }

  #at(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#tokens.look());
  }

  #expression(follow: Expected): void {
    if (++this.#nesting > MAX_NESTING) throw new DiagnosisLimit(`expression recursion limit exceeded: ${MAX_NESTING}`);
    this.#tokens.rule('expr', follow, () => {
      this.#or(orEnd('?'));
      if (!this.#at('?')) return;
      this.#tokens.match('?', exactly(...EXPRESSION));
      this.#or(exactly(':'));
      this.#tokens.match(':', exactly(...EXPRESSION));
      this.#expression(END);
    });
    this.#nesting--;
  }

  #or(follow: Expected): void {
    this.#tokens.rule('conditionalOr', follow, () => {
      this.#and();
      while (this.#at('||')) {
        this.#tokens.match('||', exactly(...EXPRESSION));
        this.#and();
      }
    });
  }

  #and(): void {
    this.#tokens.rule('conditionalAnd', orEnd('||'), () => {
      this.#relation(orEnd('&&'), false);
      while (this.#at('&&')) {
        this.#tokens.match('&&', exactly(...EXPRESSION));
        this.#relation(orEnd('&&'), false);
      }
    });
  }

  /** `operand` is the right side of an operator: operators of the same rank belong to the rule around it. */
  #relation(follow: Expected, operand: boolean): void {
    this.#tokens.rule('relation', follow, () => {
      this.#calculation(orEnd(...RELATIONS), 0);
      const operators = operand ? [] : RELATIONS;
      while (this.#at(...operators)) {
        this.#tokens.match(this.#tokens.look(), exactly(...EXPRESSION));
        this.#relation(orEnd(...RELATIONS), true);
      }
    });
  }

  #calculation(follow: Expected, rank: 0 | 1 | 2): void {
    this.#tokens.rule('calc', follow, () => {
      this.#unary();
      const operators = CALCULATIONS.slice(rank === 0 ? 0 : 2, rank === 2 ? 0 : undefined);
      while (this.#at(...operators)) {
        const product = this.#at('*', '/', '%');
        this.#tokens.match(this.#tokens.look(), exactly(...EXPRESSION));
        this.#calculation(orEnd(...CALCULATIONS), product ? 2 : 1);
      }
    });
  }

  #unary(): void {
    this.#tokens.rule('unary', orEnd(...CALCULATIONS), () => {
      this.#tokens.sync(exactly(...EXPRESSION));
      if (this.#at('!')) {
        while (this.#at('!')) {
          this.#tokens.match('!', exactly(...EXPRESSION));
          this.#tokens.syncLoop(exactly(...EXPRESSION));
        }
      } else if (this.#at('-')) {
        this.#minus();
      } else if (!this.#at(...PRIMARY)) {
        this.#tokens.noViable(0);
      }
      this.#member();
    });
  }

  /** One `-` before a number belongs to the number. */
  #minus(): void {
    const next = this.#tokens.look(1);
    if (next === 'NUM_INT' || next === 'NUM_FLOAT') return;
    if (!PRIMARY.includes(next)) this.#tokens.noViable(1);
    this.#tokens.match('-', exactly(...PRIMARY));
    while (this.#at('-')) {
      const after = this.#tokens.look(1);
      if (!PRIMARY.includes(after)) this.#tokens.noViable(1);
      this.#tokens.match('-', exactly(...PRIMARY));
    }
  }

  #member(): void {
    const follow = orEnd('.', '[');
    this.#tokens.rule('member', END, () => {
      this.#primary();
      while (this.#at('.', '[')) {
        if (this.#at('[')) this.#index(follow);
        else this.#select(follow);
      }
    });
  }

  #index(follow: Expected): void {
    this.#tokens.match('[', exactly('?', ...EXPRESSION));
    this.#tokens.sync(exactly('?', ...EXPRESSION));
    if (this.#at('?')) this.#tokens.match('?', exactly(...EXPRESSION));
    this.#expression(exactly(']'));
    this.#tokens.match(']', follow);
  }

  #select(follow: Expected): void {
    const next = this.#tokens.look(1);
    if (next !== '?' && !FIELD.includes(next)) this.#tokens.noViable(1);
    this.#tokens.match('.', exactly('?', ...FIELD));
    if (next === 'IDENTIFIER' && this.#tokens.look(1) === '(') {
      this.#tokens.match('IDENTIFIER', exactly('('));
      this.#arguments(follow);
      return;
    }
    if (this.#at('?')) this.#tokens.match('?', exactly(...FIELD));
    const { offset } = this.#tokens;
    if (!this.#fieldName(follow)) this.#tokens.reportLater(offset, 'unsupported ident kind');
  }

  #fieldName(follow: Expected): boolean {
    return this.#tokens.rule('escapeIdent', follow, () => {
      this.#tokens.sync(exactly(...FIELD));
      if (!this.#at(...FIELD)) this.#tokens.noViable(0);
      this.#tokens.match(this.#tokens.look(), END);
    });
  }

  #arguments(follow: Expected): void {
    this.#tokens.match('(', exactly(')', ...EXPRESSION));
    this.#tokens.sync(exactly(')', ...EXPRESSION));
    if (this.#at(...EXPRESSION)) {
      this.#tokens.rule('exprList', exactly(')'), () => {
        this.#expression(orEnd(','));
        while (this.#at(',')) {
          this.#tokens.match(',', exactly(...EXPRESSION));
          this.#expression(orEnd(','));
        }
      });
    }
    this.#tokens.match(')', follow);
  }

  #primary(): void {
    this.#tokens.rule('primary', orEnd('.', '['), () => {
      this.#tokens.sync(exactly(...PRIMARY));
      const kind: string = this.#tokens.look();
      switch (kind) {
        case '(':
          this.#tokens.match('(', exactly(...EXPRESSION));
          this.#expression(exactly(')'));
          this.#tokens.match(')', END);
          return;
        case '[':
          this.#braced('[', ']', [...EXPRESSION, '?'], () => this.#items());
          return;
        case '{':
          this.#braced('{', '}', [...EXPRESSION, '?'], () => this.#entries());
          return;
        case '.':
          if (this.#tokens.look(1) !== 'IDENTIFIER') this.#tokens.noViable(1);
          this.#named();
          return;
        case 'IDENTIFIER':
          this.#named();
          return;
        case '-':
          if (!['NUM_INT', 'NUM_FLOAT'].includes(this.#tokens.look(1))) this.#tokens.noViable(1);
          this.#tokens.match('-', exactly('NUM_INT', 'NUM_FLOAT'));
          this.#tokens.match(this.#tokens.look(), END);
          return;
        default:
          if (!this.#at(...LITERALS)) this.#tokens.noViable(0);
          this.#tokens.match(this.#tokens.look(), END);
      }
    });
  }

  /** A variable, a call, or the name of a type before its fields. */
  #named(): void {
    let end = this.#at('.') ? 1 : 0;
    while (this.#tokens.look(end + 1) === '.' && this.#tokens.look(end + 2) === 'IDENTIFIER') end += 2;
    const struct = this.#tokens.look(end + 1) === '{';
    if (this.#at('.')) this.#tokens.match('.', exactly('IDENTIFIER'));
    this.#tokens.match('IDENTIFIER', orEnd('(', '.', '{'));
    if (this.#at('(')) {
      this.#arguments(END);
    } else if (struct) {
      while (this.#at('.')) {
        this.#tokens.match('.', exactly('IDENTIFIER'));
        this.#tokens.match('IDENTIFIER', exactly('.', '{'));
      }
      this.#braced('{', '}', ['?', ...FIELD], () => this.#fields());
    }
  }

  #braced(open: '[' | '{', close: ']' | '}', first: readonly TokenKind[], content: () => void): void {
    this.#tokens.match(open, exactly(',', close, ...first));
    this.#tokens.sync(exactly(',', close, ...first));
    if (this.#at(...first)) this.#tokens.rule('list', exactly(',', close), content);
    this.#tokens.sync(exactly(',', close));
    if (this.#at(',')) this.#tokens.match(',', exactly(close));
    this.#tokens.match(close, END);
  }

  #items(): void {
    this.#item(orEnd(','));
    while (this.#at(',') && ['?', ...EXPRESSION].includes(this.#tokens.look(1))) {
      this.#tokens.match(',', exactly('?', ...EXPRESSION));
      this.#item(orEnd(','));
    }
  }

  #item(follow: Expected): void {
    this.#tokens.rule('optExpr', follow, () => {
      this.#tokens.sync(exactly('?', ...EXPRESSION));
      if (this.#at('?')) this.#tokens.match('?', exactly(...EXPRESSION));
      this.#expression(END);
    });
  }

  #entries(): void {
    for (;;) {
      this.#item(exactly(':'));
      this.#tokens.match(':', exactly(...EXPRESSION));
      this.#expression(orEnd(','));
      if (!this.#at(',') || !['?', ...EXPRESSION].includes(this.#tokens.look(1))) return;
      this.#tokens.match(',', exactly('?', ...EXPRESSION));
    }
  }

  #fields(): void {
    for (;;) {
      this.#tokens.rule('optField', exactly(':'), () => {
        this.#tokens.sync(exactly('?', ...FIELD));
        if (this.#at('?')) this.#tokens.match('?', exactly(...FIELD));
        this.#fieldName(END);
      });
      this.#tokens.match(':', exactly(...EXPRESSION));
      this.#expression(orEnd(','));
      if (!this.#at(',') || !['?', ...FIELD].includes(this.#tokens.look(1))) return;
      this.#tokens.match(',', exactly('?', ...FIELD));
    }
  }
}
