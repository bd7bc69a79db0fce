/** How many values the paths of a Table may look at: `..` behind `..` looks at the same values again and again. */

/** The paths of one row may look at so many values: to do so takes about five milliseconds. */
export const ROW_VISITS: number = 100_000;

/** What each row adds to the budget of its Table. The columns of well-known kinds look at a hundred values. */
const VISITS_PER_ROW = 4000;

/** After so many visits there is a break. */
const STEP_VISITS = 50_000;

/** So many characters of a cell cost as much as a visit. */
const CHARACTERS_PER_VISIT = 16;

/** The budget of one Table, or of the Tables of one watch. */
export class VisitBudget {
  readonly #max: number;
  #left: number;
  #row: number;
  #sinceBreak = 0;

  /** `max`: for all rows, beside what each of them adds. Default: what one row may spend. */
  constructor(max: number = ROW_VISITS) {
    this.#max = max;
    this.#left = max;
    this.#row = Math.min(ROW_VISITS, max);
  }

  /** Nothing more is looked at in this row. */
  get isSpent(): boolean {
    return this.#row <= 0;
  }

  /** Begins a row. */
  nextRow(): void {
    this.#left = Math.min(this.#max, Math.max(0, this.#left) + VISITS_PER_ROW);
    this.#row = Math.min(ROW_VISITS, this.#left);
  }

  /** Counts visits of values. */
  spend(visits: number): void {
    this.#left -= visits;
    this.#row -= visits;
    this.#sinceBreak += visits;
  }

  /** Counts the characters of a cell. */
  spendText(characters: number): void {
    this.spend(Math.ceil(characters / CHARACTERS_PER_VISIT));
  }

  /** Is it time for a break? */
  get isBreakDue(): boolean {
    return this.#sinceBreak >= STEP_VISITS;
  }

  /** The same, and then the count begins anew. */
  takesBreak(): boolean {
    if (!this.isBreakDue) return false;
    this.#sinceBreak = 0;
    return true;
  }
}
