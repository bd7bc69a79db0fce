/** How much a request body may hold. */

/** How much a body may hold, whatever its bytes. */
export interface BodyLimits {
  /** The most members that all its objects may have: a write takes up to two microseconds for each. */
  readonly members: number;
  /** The most objects, lists and further items of them: the rest of a write goes over each. */
  readonly parts: number;
}

/** The limits of all kinds that have none of their own. */
export const BODY_LIMITS: BodyLimits = { members: 25_000, parts: 60_000 };
