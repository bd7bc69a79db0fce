/** Parses the name of a resource as kubectl takes it. */

/** The parts of a name; an absent part matches anything. */
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

/** How a resource can be named, for messages. */
export const RESOURCE_FORMS = 'a resource such as pods, deployments.apps, apps/v1/deployments or pods/NAME';

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/u;

/**
 * Reads `pods`, `po`, `Pod`, `deployments.apps`, `deployments.v1.apps`, `v1/pods`, `apps/v1/deployments`; each may be followed by
 * the name of an object: `pods/web-1`. Undefined for a text that is none of these.
 */
export function parseResourceName(text: string): NamedResource | undefined {
  if (/[\s%,=!\\\p{Cc}\p{Cf}]/u.test(text)) return undefined;
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
  // The first part of a group may look like a version: try both.
  const versioned = VERSION.test(version) ? [{ word, version, group: group.join('.') }] : [];
  return [...versioned, { word, group: rest }];
}
