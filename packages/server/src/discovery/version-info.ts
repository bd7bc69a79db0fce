/** `/version`: which Kubernetes this server speaks, and that it is another program. */

/** The release of Kubernetes whose API is served. */
export const KUBERNETES_VERSION: { readonly major: string; readonly minor: string; readonly patch: string } = {
  major: '1',
  minor: '36',
  patch: '4',
};

/** As `kubectl version` shows it. */
export const gitVersion: string = `v${KUBERNETES_VERSION.major}.${KUBERNETES_VERSION.minor}.${KUBERNETES_VERSION.patch}+listwatch`;

/** What is known of the program. */
export interface BuildInfo {
  /** Default: `''`. */
  readonly commit?: string;
  /** RFC 3339. Default: the epoch. */
  readonly date?: string;
  /** The runtime, such as `node v20.19.0`. Default: `node`. */
  readonly runtime?: string;
  /** Such as `linux/x64`. Default: `any`. */
  readonly platform?: string;
}

/** The document, indented as Kubernetes indents it. The part behind `+` is no part of the order of versions. */
export function versionDocument(build: BuildInfo = {}): Buffer {
  const { major, minor } = KUBERNETES_VERSION;
  const info = {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: build.commit ?? '',
    gitTreeState: 'clean',
    buildDate: build.date ?? '1970-01-01T00:00:00Z',
    goVersion: build.runtime ?? 'node',
    compiler: 'tsc',
    platform: build.platform ?? 'any',
  };
  return Buffer.from(JSON.stringify(info, null, 2));
}
