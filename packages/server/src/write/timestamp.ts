/** Times as the API writes them: UTC, to the second. */

export { wholeSeconds as timestamp } from '@listwatch/rules/internal';
