/** URIs as Go's `url.ParseRequestURI` reads them. */

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+\-.]*:/;

/** An absolute path, or a URI with a scheme. */
export function isRequestUri(text: string): boolean {
  if (text === '' || hasControl(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const end = rest.indexOf('?');
  const path = end < 0 ? rest : rest.slice(0, end);
  if (!path.startsWith('/')) return scheme !== '';
  if (scheme === '' || !path.startsWith('//')) return hasValidEscapes(path);
  const slash = path.indexOf('/', 2);
  const authority = slash < 0 ? path.slice(2) : path.slice(2, slash);
  return isAuthority(authority) && hasValidEscapes(slash < 0 ? '' : path.slice(slash));
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function hasValidEscapes(text: string): boolean {
  for (let index = text.indexOf('%'); index >= 0; index = text.indexOf('%', index + 1)) {
    if (!isHexPair(text, index + 1)) return false;
  }
  return true;
}

function isHexPair(text: string, at: number): boolean {
  return /^[0-9a-fA-F]{2}$/.test(text.slice(at, at + 2));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (at >= 0) {
    const user = authority.slice(0, at);
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !hasValidEscapes(user)) return false;
  }
  return isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    return end >= 0 && isPort(host.slice(end + 1)) && isHostText(host.slice(0, end + 1));
  }
  if (host.includes('[')) return false;
  const colon = host.lastIndexOf(':');
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host);
}

function isPort(text: string): boolean {
  return text === '' || /^:\d*$/.test(text);
}

/** In a host only escapes of characters beyond ASCII are allowed, and none of the characters that Go would escape. */
function isHostText(host: string): boolean {
  if (/[ "<>\\^`{}|]/.test(host) && /[ \\^`{}|]/.test(host)) return false;
  for (let index = host.indexOf('%'); index >= 0; index = host.indexOf('%', index + 1)) {
    if (!/^([89a-fA-F][0-9a-fA-F]|25)$/.test(host.slice(index + 1, index + 3))) return false;
  }
  return true;
}
