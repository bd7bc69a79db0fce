/** The ways in which people name a resource on a command line. */

/** What a name asks for; an absent part may be anything. */
export interface ResourceName {
  /** Plural, singular, short name or kind. */
  readonly word: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
}

/** A name of a resource, and of one object where that came with it. */
export interface NamedResource {
  /** What the text can mean, the likeliest first. */
  readonly readings: readonly ResourceName[];
  readonly object?: string | undefined;
}

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/u;

/**
 * Reads `pods`, `po`, `Pod`, `deployments.apps`, `deployments.v1.apps`, `v1/pods`, `apps/v1/deployments`; each may be followed by
 * the name of an object: `pods/web-1`. Undefined for a text that is none of these.
 */
export function parseResourceName(text: string): NamedResource | undefined {
  const parts = text.split('/');
  if (parts.includes('') || parts.length > 4) return undefined;
  const [first = '', second = '', third, object] = parts;
  if (parts.length === 1) return { readings: dotted(first) };
  if (VERSION.test(first)) {
    return object === undefined
      ? { readings: [{ word: second, group: '', version: first }], object: third }
      : undefined;
  }
  if (third === undefined) return { readings: dotted(first), object: second };
  return VERSION.test(second) ? { readings: [{ word: third, group: first, version: second }], object } : undefined;
}

function dotted(text: string): readonly ResourceName[] {
  const dot = text.indexOf('.');
  if (dot === -1) return [{ word: text }];
  const [word, rest] = [text.slice(0, dot), text.slice(dot + 1)];
  const [version = '', ...group] = rest.split('.');
  // A group may begin with something that looks like a version, so that both are tried.
  const versioned = VERSION.test(version) ? [{ word, version, group: group.join('.') }] : [];
  return [...versioned, { word, group: rest }];
}
