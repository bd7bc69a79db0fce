/**
 * The error strategy of ANTLR, which decides the texts of syntax errors: it deletes or inserts one token, or skips tokens until one
 * can follow.
 */
import { CelLexer, type TokenKind } from './cel-lexer.ts';
import type { CelIssue } from './cel-source.ts';

/** Tokens that may come next; `ends` when the rule may end here. */
export interface Expected {
  readonly kinds: readonly TokenKind[];
  readonly ends: boolean;
}

interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** Leaves a rule whose input does not match. */
export class Mismatch extends Error {
  readonly text: string;
  readonly offset: number;

  constructor(text: string, offset: number) {
    super(text);
    this.text = text;
    this.offset = offset;
  }
}

/** Ends the diagnosis: its limits are those of cel-go. */
export class DiagnosisLimit extends Error {}

const MAX_LOOKAHEAD = 256;
const MAX_RECOVERIES = 30;

/** Kinds in the order of the grammar, in which sets of expected tokens are printed. */
const ORDER: readonly TokenKind[] = [
  '<EOF>',
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
];

function printKind(kind: TokenKind): string {
  return kind === '<EOF>' || /^[A-Z_]+$/u.test(kind) ? kind : `'${kind}'`;
}

function printKinds(kinds: ReadonlySet<TokenKind>): string {
  const names = ORDER.filter((kind) => kinds.has(kind)).map(printKind);
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}

/** The tokens of an expression with the state of error recovery. */
export class RecoveringTokens {
  readonly issues: CelIssue[] = [];
  readonly #text: string;
  readonly #tokens: Token[] = [];
  /** What may follow the rules around the current one, outermost first. */
  readonly #follow: Expected[] = [];
  #at = 0;
  #recovering = false;
  #lastErrorAt = -1;
  #lastErrorRules: Set<string> = new Set();
  #recoveries = 0;

  constructor(text: string) {
    this.#text = text;
    const lexer = new CelLexer(text, this.issues);
    do {
      lexer.next();
      this.#tokens.push({ kind: lexer.kind, start: lexer.start, end: lexer.end });
    } while (lexer.kind !== '<EOF>');
  }

  /** The kind of the token `ahead` of the current one. */
  look(ahead: number = 0): TokenKind {
    return this.#token(ahead).kind;
  }

  /** Reports a mistake that is found after the parse, at an offset. */
  reportLater(offset: number, message: string): void {
    this.issues.push({ offset, message });
  }

  /** Where the current token starts. */
  get offset(): number {
    return this.#token().start;
  }

  /** Runs a rule: an error in it is reported and skipped, and the rule around it goes on. Gives whether there was none. */
  rule(name: string, follow: Expected, body: () => void): boolean {
    let succeeded = true;
    this.#follow.push(follow);
    try {
      body();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      if (!this.#recovering) this.#report(error.offset, error.text);
      succeeded = false;
      this.#recover(name);
    }
    this.#follow.pop();
    return succeeded;
  }

  /** Takes a token of a kind; `next` is what the rule expects after it. */
  match(kind: TokenKind, next: Expected): void {
    if (this.look() === kind) {
      this.#consume();
      this.#matched();
      return;
    }
    this.#countRecovery();
    const expected = this.#inContext({ kinds: [kind], ends: false });
    if (this.#delete(expected)) {
      this.#consume();
      this.#matched();
    } else if (this.#inContext(next).has(this.look())) {
      if (!this.#recovering) this.#report(this.#token().start, `missing ${printKinds(expected)} at ${this.#shown()}`);
    } else {
      throw this.#mismatch(expected);
    }
  }

  /** Checks the current token at a choice: one that does not fit is deleted, or ends the rule. */
  sync(expected: Expected): void {
    if (this.#recovering || expected.ends || expected.kinds.includes(this.look())) return;
    const all = new Set(expected.kinds);
    if (!this.#delete(all)) throw this.#mismatch(all);
  }

  /** Checks the current token in a loop: those that do not fit are skipped. */
  syncLoop(expected: Expected): void {
    if (this.#recovering || expected.kinds.includes(this.look())) return;
    const all = this.#inContext(expected);
    this.#report(this.#token().start, `extraneous input ${this.#shown()} expecting ${printKinds(all)}`);
    this.#skipTo(new Set([...all, ...this.#recoverySet()]));
  }

  /** Fails because no choice fits the tokens up to the one `ahead`. */
  noViable(ahead: number): never {
    const { start } = this.#token();
    const last = this.#token(ahead);
    const input = this.#text.slice(start, last.kind === '<EOF>' ? this.#text.length : last.end);
    const reserved = /^.(?<word>true|false|null)$/su.exec(input)?.groups?.['word'];
    const text =
      reserved === undefined
        ? `no viable alternative at input '${input.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`
        : `mismatched input '${reserved}' expecting IDENTIFIER`;
    throw new Mismatch(text, last.start);
  }

  #token(ahead: number = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new RangeError('no tokens');
    return token;
  }

  #shown(): string {
    const { kind, start, end } = this.#token();
    const text = kind === '<EOF>' ? '<EOF>' : this.#text.slice(start, end);
    return `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
  }

  #consume(): void {
    if (this.#at < this.#tokens.length - 1) this.#at++;
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorRules.clear();
  }

  /** Deletes the current token when the one after it fits. */
  #delete(expected: ReadonlySet<TokenKind>): boolean {
    if (!expected.has(this.look(1)) || this.look() === '<EOF>') return false;
    if (!this.#recovering) {
      this.#report(this.#token().start, `extraneous input ${this.#shown()} expecting ${printKinds(expected)}`);
    }
    this.#consume();
    this.#matched();
    return true;
  }

  #mismatch(expected: ReadonlySet<TokenKind>): Mismatch {
    return new Mismatch(`mismatched input ${this.#shown()} expecting ${printKinds(expected)}`, this.#token().start);
  }

  /** What may come next when the rule around is counted in. */
  #inContext({ kinds, ends }: Expected): ReadonlySet<TokenKind> {
    const all = new Set(kinds);
    let open = ends;
    for (let at = this.#follow.length - 1; open && at >= 0; at--) {
      const follow = this.#follow[at];
      for (const kind of follow?.kinds ?? []) all.add(kind);
      open = follow?.ends ?? false;
    }
    return all;
  }

  #recoverySet(): ReadonlySet<TokenKind> {
    return new Set(this.#follow.flatMap(({ kinds }) => kinds));
  }

  #recover(rule: string): void {
    this.#countRecovery();
    if (this.#lastErrorAt === this.#at && this.#lastErrorRules.has(rule)) this.#consume();
    this.#lastErrorAt = this.#at;
    this.#lastErrorRules.add(rule);
    this.#skipTo(this.#recoverySet());
  }

  #skipTo(kinds: ReadonlySet<TokenKind>): void {
    let skipped = 0;
    while (this.look() !== '<EOF>' && !kinds.has(this.look())) {
      if (skipped++ >= MAX_LOOKAHEAD) {
        throw new DiagnosisLimit(`error recovery token lookahead limit exceeded: ${MAX_LOOKAHEAD}`);
      }
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries++ === MAX_RECOVERIES) {
      const message = `error recovery attempt limit exceeded: ${MAX_RECOVERIES}`;
      this.#report(this.#token().start, message);
      throw new DiagnosisLimit('');
    }
  }

  #report(offset: number, message: string): void {
    this.#recovering = true;
    this.issues.push({ offset, message: `Syntax error: ${message}` });
  }
}
