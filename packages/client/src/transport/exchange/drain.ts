/** Getting rid of an answer that nobody wants. */

import type { TransportResponse } from '../transport.ts';

/** As client-go: a Status fits, and its connection can be used again; what is longer is not worth waiting for. */
const WORTH_READING_BYTES = 2048;

/** Reads a short body to its end, so that the connection is free; closes the exchange of a long one. Never throws. */
export async function drainBody({ body }: TransportResponse): Promise<void> {
  try {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > WORTH_READING_BYTES) break;
    }
  } catch {
    // It broke: then its connection is gone, which is what was wanted of it.
  }
}
