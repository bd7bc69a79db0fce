/** The types of `api-reports.mjs`, which reads the types that are built. */

/** The public signatures of each package, from its built types: the name of the file in docs/api, and its text. */
export function apiReports(): ReadonlyMap<string, string>;
