/** The short JSON answers of login providers. */

import { type JsonRecord, recordOf } from '@listwatch/api/values';
import { readUpTo } from '../request/read-body.ts';
import type { TransportResponse } from '../transport/transport.ts';

/** Tokens with hundreds of groups have some ten kilobytes. */
const MAX_BYTES = 256 * 1024;

/** The fields of the object that came; none when it is something else. Throws for an answer that is larger than any login. */
export async function jsonOf({ body }: TransportResponse): Promise<JsonRecord> {
  const bytes = await readUpTo(body, MAX_BYTES + 1);
  if (bytes.length > MAX_BYTES) throw new RangeError(`the answer has more than ${MAX_BYTES} bytes`);
  try {
    return recordOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
