/** A request body that has been parsed, whatever its media type. */

import type { TypeMeta } from '../../stored/object-layout.ts';

/** A parsed body. */
export interface JsonDocument {
  readonly value: unknown;
  /** How many members the text has, repeated ones included (JSON). */
  readonly members?: number | undefined;
  /** The value is in the canonical form of its type and has no fault (protobuf). Default: nobody has looked. */
  readonly isCanonical?: boolean;
  /** The text, when some object in it has a member twice (JSON). */
  readonly repeatingText: string | undefined;
  /** The text, when it has a number with a fraction or an exponent (JSON). */
  readonly fractionText: string | undefined;
  /** Complaints about keys that are given twice (YAML), in the words of Go's YAML decoder. */
  readonly complaints: readonly string[];
}

/** A body that is not what its Content-Type says. The message is what Kubernetes says about it. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  /** The type that the body named before it broke (protobuf). */
  readonly type: TypeMeta | undefined;

  constructor(message: string, { type, ...options }: ErrorOptions & { readonly type?: TypeMeta } = {}) {
    super(message, options);
    this.type = type;
  }
}
