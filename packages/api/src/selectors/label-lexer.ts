/** Cuts a label selector into tokens, each with its place. */

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

/** Cuts `selector` into tokens; the last one has the type `end`. Never fails: any text has tokens. */
export function lexLabelSelector(selector: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  for (;;) {
    position += take(BLANKS, selector, position).length;
    const symbol = take(SYMBOL, selector, position);
    const text = symbol === '' ? take(WORD, selector, position) : symbol;
    if (text === '') return [...tokens, { type: 'end', text, position }];
    tokens.push({ type: FIXED.get(text) ?? 'identifier', text, position });
    position += text.length;
    if (symbol === '' && selector[position] === '\0') position += 1;
  }
}

function take(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}
