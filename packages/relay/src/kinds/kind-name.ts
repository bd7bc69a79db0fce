/** The names by which people call kinds: `pods`, `deployments.apps`, `widgets.v1.example.com`. */

export interface KindName {
  /** As it was given. */
  readonly text: string;
  readonly plural: string;
  /** `''`: the core group. */
  readonly group: string;
  /** Undefined: the one that the server prefers. */
  readonly version: string | undefined;
}

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/u;
/** As the API server demands it of a CustomResourceDefinition: the group is a domain, with a dot. */
const CUSTOM = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/u;

export function parseKindName(text: string): KindName {
  const [plural = '', ...rest] = text.split('.');
  const hasVersion = VERSION.test(rest[0] ?? '');
  return {
    text,
    plural,
    group: (hasVersion ? rest.slice(1) : rest).join('.'),
    version: hasVersion ? rest[0] : undefined,
  };
}

/** May a CustomResourceDefinition have this name? */
export function isCustomName({ plural, group }: KindName): boolean {
  const labels = group.split('.');
  return labels.length > 1 && [plural, ...labels].every((label) => CUSTOM.test(label));
}
