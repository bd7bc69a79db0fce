/** Whose work something is, for what all users share. */

/** A flow of flow control. Levels get parts by their weights, the flows of a level get equal parts. */
export interface WorkFlow {
  readonly level: string;
  readonly weight: number;
  /** Work of an exempt level goes first. */
  readonly isExempt: boolean;
  /** Unique in its level. */
  readonly name: string;
}
