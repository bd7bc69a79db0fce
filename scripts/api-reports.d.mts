/** The types of `api-reports.mjs`, which reads the types that are built. */

/** The public signatures of each package, from its built types: the name of the file in docs/api, and its text. */
export function apiReports(): ReadonlyMap<string, string>;

export interface ApiDoor {
  readonly title: string;
  /** Exports of the door on Node that this one has not. Undefined for a door that has only one half. */
  readonly missing: readonly string[] | undefined;
  readonly entries: readonly {
    readonly name: string;
    readonly isExported: boolean;
    /** The declaration, with its comments. */
    readonly text: string;
    /** The comments alone, for a search. */
    readonly comment: string;
  }[];
}

/** What each door of each package exports, for a page that people read. `file` is the name of its report. */
export function apiDoors(): readonly {
  readonly name: string;
  readonly file: string;
  readonly doors: readonly ApiDoor[];
}[];
