/** Whether an answer is laid out for a person to read. */
import { firstValue, PARAM, type Query } from '@listwatch/api';

/** The spellings that Go takes for true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Is the `pretty` parameter true? Without it: is the client a browser or a command line tool? */
export function wantsPretty(query: Query, userAgent: string | undefined): boolean {
  const asked = firstValue(query, PARAM.pretty) ?? '';
  if (asked !== '') return TRUE.has(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/u.test(userAgent ?? '');
}
