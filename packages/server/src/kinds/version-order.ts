/** The order of API versions. */

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STABILITY: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Which version comes first: v2, v1, v1beta2, v1beta1, v2alpha1, then all other names, alphabetically. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rank(left), rank(right)];
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : Number(left > right);
}

function rank(version: string): readonly number[] {
  const [, major, stage, minor] = VERSION.exec(version) ?? [];
  if (major === undefined) return [-1, 0, 0];
  return [stage === undefined ? 2 : (STABILITY[stage] ?? 0), Number(major), Number(minor ?? 0)];
}
