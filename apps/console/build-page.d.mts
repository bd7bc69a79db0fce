/** Where the built page stands. */
export const PAGE_FOLDER: string;
/** Has nothing changed since the page was built? */
export function isPageCurrent(): boolean;
/** Builds the page into a folder, which is emptied first. */
export function buildPage(outDir?: string): Promise<void>;
