/** The parts of a template. */

/** One of the three numbers of `[start:end:step]`. */
export interface SliceNumber {
  readonly value: number;
  readonly isKnown: boolean;
  /** It was not written: the end of `[2]` is 3. */
  readonly isDerived: boolean;
}

/** A step of a path, a text, or a keyword. */
export type TemplateNode =
  | { readonly is: 'filter'; readonly left: NodeList; readonly right: NodeList; readonly operator: string }
  | { readonly is: 'field'; readonly name: string }
  | { readonly is: 'keyword'; readonly name: string }
  | { readonly is: 'recursive' }
  | { readonly is: 'slice'; readonly numbers: readonly [SliceNumber, SliceNumber, SliceNumber] }
  | { readonly is: 'union'; readonly lists: readonly NodeList[] }
  | { readonly is: 'value'; readonly value: LiteralValue }
  | { readonly is: 'wildcard' }
  | NodeList;

/** The steps between two braces. */
export interface NodeList {
  readonly is: 'list';
  readonly nodes: readonly TemplateNode[];
}

/** A text, a boolean or a number; Go tells integers from floats. */
export type LiteralValue = boolean | string | PathFloat | { readonly is: 'int'; readonly value: number };

/** A number with a dot: it never equals an integer. */
export interface PathFloat {
  readonly is: 'float';
  readonly value: number;
}
