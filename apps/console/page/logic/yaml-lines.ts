/** A JSON value as lines of YAML that can be folded. Loading the lines gives the value again. */

/** One line. */
export interface YamlLine {
  readonly depth: number;
  /** The dashes of list items that begin on this line. */
  readonly dashes: string;
  /** As it is printed, without its colon; undefined for a plain item. */
  readonly key: string | undefined;
  /** What stands behind the key; `''` when the value is on the lines below. */
  readonly value: string;
  readonly type: 'boolean' | 'null' | 'number' | 'string' | 'structure';
  /** How many of the next lines belong to it; 0: nothing to fold. */
  readonly below: number;
  /** Where it is: `spec.containers.0.image`. It tells lines apart when the object changes. */
  readonly path: string;
}

type MutableLine = { -readonly [K in keyof YamlLine]: YamlLine[K] };

/** The lines of a value. Members that are undefined are left out. */
export function yamlLines(value: unknown): readonly YamlLine[] {
  const lines: MutableLine[] = [];
  if (isStructure(value)) addStructure(lines, value, { depth: 0, dashes: '', path: '' });
  else addScalar(lines, value, { depth: 0, dashes: '', key: undefined, path: '' });
  return lines;
}

/** The text of a value. */
export function yamlText(value: unknown): string {
  return `${yamlLines(value).map(lineText).join('\n')}\n`;
}

/** One line as text. */
export function lineText({ depth, dashes, key, value }: YamlLine): string {
  const head = `${'  '.repeat(depth)}${dashes}`;
  if (key === undefined) return `${head}${value}`.trimEnd();
  return value === '' ? `${head}${key}:` : `${head}${key}: ${value}`;
}

interface Place {
  readonly depth: number;
  readonly dashes: string;
  readonly path: string;
}

interface KeyedPlace extends Place {
  readonly key: string | undefined;
}

function addStructure(lines: MutableLine[], value: object, { depth, dashes, path }: Place): void {
  let first = dashes;
  for (const [name, member] of membersOf(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (Array.isArray(value)) addItem(lines, member, { depth, dashes: `${first}- `, path: memberPath });
    else addMember(lines, member, { depth, dashes: first, key: keyText(name), path: memberPath });
    // Only the first line of an item has its dash; the others are as far in.
    if (first !== '') {
      depth += first.length / 2;
      first = '';
    }
  }
}

function addItem(lines: MutableLine[], item: unknown, place: Place): void {
  if (!isStructure(item)) return addScalar(lines, item, { ...place, key: undefined });
  const start = lines.length;
  addStructure(lines, item, place);
  const head = lines[start];
  // An item whose first member is a scalar folds at its dash.
  if (head !== undefined && head.below === 0) head.below = lines.length - start - 1;
}

function addMember(lines: MutableLine[], member: unknown, place: KeyedPlace): void {
  if (!isStructure(member)) return addScalar(lines, member, place);
  const line: MutableLine = { ...place, value: '', type: 'structure', below: 0 };
  lines.push(line);
  const start = lines.length;
  const depth = place.depth + place.dashes.length / 2;
  // As kubectl: the items of a list stand below its key, not further in.
  addStructure(lines, member, { depth: Array.isArray(member) ? depth : depth + 1, dashes: '', path: place.path });
  line.below = lines.length - start;
}

function addScalar(lines: MutableLine[], value: unknown, place: KeyedPlace): void {
  if (typeof value === 'string' && isBlockText(value)) return addBlock(lines, value, place);
  lines.push({ ...place, ...scalarOf(value), below: 0 });
}

/** A text of several lines, each on a line of its own. */
function addBlock(lines: MutableLine[], text: string, place: KeyedPlace): void {
  const isEnded = text.endsWith('\n');
  const parts = (isEnded ? text.slice(0, -1) : text).split('\n');
  lines.push({ ...place, value: isEnded ? '|' : '|-', type: 'string', below: parts.length });
  const depth = place.depth + place.dashes.length / 2 + 1;
  for (const [index, part] of parts.entries()) {
    const path = `${place.path}.${index}`;
    lines.push({ depth, dashes: '', key: undefined, value: part, type: 'string', below: 0, path });
  }
}

function scalarOf(value: unknown): Pick<YamlLine, 'type' | 'value'> {
  if (typeof value === 'string') return { type: 'string', value: plainText(value) };
  if (typeof value === 'number') return { type: 'number', value: String(value) };
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (typeof value !== 'object' || value === null) return { type: 'null', value: 'null' };
  return { type: 'structure', value: Array.isArray(value) ? '[]' : '{}' };
}

/** A structure that takes lines; an empty one is written as a scalar. */
function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null && membersOf(value).length > 0;
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Words that YAML 1.1 or 1.2 reads as something else than a string. */
const WORDS = /^(?:~|null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf)$/iu;
/** What may be read as a number, a time or a sexagesimal number. */
const NUMBERLIKE = /^[-+]?[.\d]/u;
const PLAIN = /^[\w/$(.][\w/$().,;+*%^=@<>?!|&~'" -]*(?::[\w/$().,;+*%^=@<>?!|&~'"-]+)*$/u;

function plainText(text: string): string {
  const isPlain =
    PLAIN.test(text) && !WORDS.test(text) && !NUMBERLIKE.test(text) && !text.endsWith(' ') && !text.includes(' #');
  return isPlain ? text : quoted(text);
}

/** JSON is YAML, but for a few characters that YAML does not print. Marks that turn the direction of text are escaped, too. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function keyText(name: string): string {
  return /^[\w./][\w./-]*$/u.test(name) && !WORDS.test(name) && !NUMBERLIKE.test(name) ? name : quoted(name);
}

/** Only what a block scalar without an indentation mark can hold; anything else is quoted. */
function isBlockText(text: string): boolean {
  if (!text.includes('\n') || text.startsWith(' ') || text.startsWith('\n') || text.endsWith('\n\n')) return false;
  // oxlint-disable-next-line no-control-regex -- these are the ones that YAML does not allow
  return !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[\ud800-\udfff]| \n/u.test(
    text,
  );
}
