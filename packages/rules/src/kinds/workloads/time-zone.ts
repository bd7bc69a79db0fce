/** Names of time zones, as the IANA database spells them. */

/** Does a time zone of this name exist? Names are case-sensitive, unlike in `Intl`. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  // Each part begins with a capital letter: this refuses offsets and most names in lower case that `Intl` takes.
  if (!name.split('/').every((part) => /^[A-Z]/.test(part))) return false;
  const found = resolvedName(name);
  // An alias resolves to another name, so its spelling cannot be compared.
  return found !== undefined && (found === name || found.toLowerCase() !== name.toLowerCase());
}

function resolvedName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // `Intl` throws for an unknown time zone.
    return undefined;
  }
}
