/** Names of time zones, as the IANA database spells them. */

/** Whether there is a time zone of this name. Unlike `Intl`, which ignores case, names are case-sensitive. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  // Each part begins with a capital letter: this refuses offsets and most names in lower case that `Intl` takes.
  if (!name.split('/').every((part) => /^[A-Z]/.test(part))) return false;
  const found = resolvedName(name);
  // An alias resolves to another name; only for a name of its own the spelling can be compared.
  return found !== undefined && (found === name || found.toLowerCase() !== name.toLowerCase());
}

function resolvedName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Intl says so that it does not know a zone.
    return undefined;
  }
}
