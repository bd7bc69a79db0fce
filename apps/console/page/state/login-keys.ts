/**
 * The key of this page's login. The cookie goes to every port of the host; the key stays in the storage of this origin, and each
 * request carries both. Links that are opened at the same time leave one cookie and several keys: so a few keys are kept, each
 * in an entry of its own, because two tabs that change one entry lose what the other has written.
 */

const PREFIX = 'listwatch-console-key-';
const KEYS_MAX = 4;
/** The key as the door sends it with the page, in answer to the code of a link. */
const SENT = 'meta[name=listwatch-key]';

/** The one that this tab sends. It is in memory too: where storage is switched off, the login ends with the tab. */
let current: string | undefined;

/** Keeps the key that came with the page, and takes the code out of the address bar. */
export function takeSentKey(): void {
  const sent = document.querySelector<HTMLMetaElement>(SENT);
  if (sent === null) return;
  current = sent.content;
  store(current);
  sent.remove();
  history.replaceState(null, '', `/console/${location.hash}`);
}

/** All keys that may belong to the cookie: the one of this tab, then the newest. */
export function loginKeys(): readonly string[] {
  const stored = storedNames().map((name) => localStorage.getItem(name) ?? '');
  return [...new Set(current === undefined ? stored : [current, ...stored])];
}

/** The headers of a request with the key of this tab, or with another one. */
export function keyHeaders(key: string | undefined = current): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** This one belongs to the cookie. */
export function chooseKey(key: string | undefined): void {
  current = key;
}

/** After a logout. */
export function forgetKeys(): void {
  current = undefined;
  for (const name of storedNames()) localStorage.removeItem(name);
}

/** Calls `listener` when another tab has logged in or out. */
export function onKeysChanged(listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX)) listener();
  });
}

function store(key: string): void {
  try {
    // Not `crypto.randomUUID`, which a page of plain HTTP has on loopback only.
    localStorage.setItem(`${PREFIX}${Date.now()}-${Math.random()}`, key);
    for (const name of storedNames().slice(KEYS_MAX)) localStorage.removeItem(name);
  } catch {
    // Only this tab is logged in.
  }
}

/** The newest first; none where storage is switched off. */
function storedNames(): readonly string[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.toSorted().toReversed();
  } catch {
    return [];
  }
}
