/** Limits of request bodies. */

/** The limits of a body, in addition to its size in bytes. */
export interface BodyLimits {
  /** The maximum of members of all its objects together: a write takes up to two microseconds for each. */
  readonly members: number;
  /** The maximum of objects, lists and items: later stages of a write visit each. */
  readonly parts: number;
}

/** The limits of kinds without specific limits. */
export const BODY_LIMITS: BodyLimits = { members: 25_000, parts: 60_000 };

/** The limits of virtual kinds (reviews, bindings, evictions). The main thread decodes them in at most 20 ms. */
export const VIRTUAL_LIMITS: BodyLimits = { members: 4000, parts: 10_000 };
