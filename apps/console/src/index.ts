/** The web page of listwatch as files to serve. Start at `consoleAssets`. */

export { type ConsoleAsset, type ConsoleAssets, consoleAssets } from './console-assets.ts';
export { PAGE_HEADERS } from './content-security-policy.ts';
