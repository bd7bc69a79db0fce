/** Which controllers run: the list of kube-controller-manager's `--controllers`. */

/** A name in the list that no controller has. */
export class ControllerNameError extends RangeError {
  /** The controllers that there are. */
  readonly names: readonly string[];

  constructor(name: string, names: readonly string[]) {
    super(`${JSON.stringify(name)} is not in the list of known controllers: ${names.join(', ')}`);
    this.names = names;
  }
}

/** The names of these controllers before Kubernetes 1.28. */
const ALIASES: Readonly<Record<string, string>> = {
  garbagecollector: 'garbage-collector-controller',
  namespace: 'namespace-controller',
  'pv-protection': 'persistentvolume-protection-controller',
  'pvc-protection': 'persistentvolumeclaim-protection-controller',
  'root-ca-cert-publisher': 'root-ca-certificate-publisher-controller',
  serviceaccount: 'serviceaccount-controller',
  tokencleaner: 'token-cleaner-controller',
};

/**
 * The controllers that a list selects: `*` stands for all, `name` for one, `-name` for all but one. The first entry that names a
 * controller decides; `-*` alone selects none. Throws a `ControllerNameError` for a name that no controller has.
 */
export function selectControllers(list: readonly string[], names: readonly string[]): readonly string[] {
  const entries = list.map((entry) => known(entry, names));
  return names.filter((name) => {
    for (const entry of entries) {
      if (entry === name) return true;
      if (entry === `-${name}`) return false;
    }
    return entries.includes('*') && !entries.includes('-*');
  });
}

function known(entry: string, names: readonly string[]): string {
  const sign = entry.startsWith('-') ? '-' : '';
  const name = entry.slice(sign.length);
  const current = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
  if (current !== '*' && !names.includes(current)) throw new ControllerNameError(entry, names);
  return `${sign}${current}`;
}
