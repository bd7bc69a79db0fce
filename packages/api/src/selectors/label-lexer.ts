/** The tokens of a label selector, each with its place. */

/** What a token is. Symbols and the words `in` and `notin` are their own type. */
export type LabelTokenType =
  | '!'
  | '!='
  | '('
  | ')'
  | ','
  | '<'
  | '='
  | '=='
  | '>'
  | 'end'
  | 'identifier'
  | 'in'
  | 'notin';

/** One token. */
export interface LabelToken {
  readonly type: LabelTokenType;
  /** The text of the token; `''` at the end. */
  readonly text: string;
  /** The index of its first character. */
  readonly position: number;
}

const SYMBOLS_AND_KEYWORDS = ['!', '!=', '(', ')', ',', '<', '=', '==', '>', 'in', 'notin'] as const;
const FIXED: ReadonlyMap<string, LabelTokenType> = new Map(SYMBOLS_AND_KEYWORDS.map((text) => [text, text]));

// Kubernetes reads a NUL as the end of a token, and as the end of everything between tokens.
const BLANKS = /[ \t\r\n]*/y;
const SYMBOL = /==|!=|[=!(),<>]/y;
const WORD = /[^=!(),<> \t\r\n\0]+/y;

/** Reads the tokens of a selector one by one: a parser that stops at an error does not pay for the rest of the text. */
export class LabelLexer {
  readonly #selector: string;
  #position = 0;

  constructor(selector: string) {
    this.#selector = selector;
  }

  /** The next token; at the end of the selector, and from then on, one of the type `end`. Any text has tokens. */
  next(): LabelToken {
    this.#position += this.#match(BLANKS).length;
    const symbol = this.#match(SYMBOL);
    const text = symbol === '' ? this.#match(WORD) : symbol;
    const position = this.#position;
    if (text === '') return { type: 'end', text, position };
    this.#position += text.length;
    if (symbol === '' && this.#selector[this.#position] === '\0') this.#position += 1;
    return { type: FIXED.get(text) ?? 'identifier', text, position };
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#selector)?.[0] ?? '';
  }
}
