/** Headers that are about a connection, and not about what it carries: a proxy passes none of them on. */

/** In lower case. A header that `Connection` names is one, too. */
export const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
