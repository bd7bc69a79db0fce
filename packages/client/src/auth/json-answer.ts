/** The short JSON answers of login providers. */

import type { TransportResponse } from '../transport/transport.ts';

/** The fields of the object that came; none when it is something else. */
export async function jsonOf({ body }: TransportResponse): Promise<Readonly<Record<string, unknown>>> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}
