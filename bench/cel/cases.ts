/** Rules as custom resources have them, each true for its object. */

/** A rule and the object that it is evaluated for. */
export interface CelCase {
  readonly name: string;
  readonly expression: string;
  readonly self: Readonly<Record<string, unknown>>;
}

const items = Array.from({ length: 100 }, (_, index) => ({ name: `item-${index}`, value: index }));
const self = { replicas: 3, maxReplicas: 5, mode: 'auto', name: 'web-frontend', labels: { app: 'web' }, items };

/** The rules. */
export const CASES: readonly CelCase[] = [
  { name: 'compare', expression: 'self.replicas <= self.maxReplicas', self },
  {
    name: 'logic',
    expression:
      'self.mode in ["auto", "manual"] && (self.mode != "auto" || self.replicas >= 1) && size(self.name) < 64 && has(self.labels)',
    self,
  },
  {
    name: 'text',
    expression: 'self.name.startsWith("web-") && self.name.contains("front") && self.labels.app == "web"',
    self,
  },
  {
    name: '100 items',
    expression: 'self.items.all(x, x.name.startsWith("item-") && x.value >= 0 && x.value < 1000)',
    self,
  },
  {
    name: '100 items filtered',
    expression: 'self.items.filter(x, x.value % 2 == 0).map(x, x.value * 2).size() == 50',
    self,
  },
];
