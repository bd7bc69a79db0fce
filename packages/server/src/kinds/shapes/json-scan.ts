/** What `JSON.parse` does not tell: fields that are given twice, and how deep the nesting goes. */

/** What the verbs can write in stays far above this; `JSON.stringify` gives up a few times deeper. */
export const MAX_DEPTH = 1000;

/** What a scan has found. */
export interface JsonScan {
  /** The paths of the fields that their object has already, such as `spec.containers[0].name`; each once. */
  readonly duplicates: readonly string[];
  /** How many objects and lists stand inside one another. */
  readonly depth: number;
}

interface Level {
  /** The keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  /** The key or the index that the scan is at. */
  at: string | number;
  /** Is the next string of an object a value? */
  inValue: boolean;
}

/** Hears of each field, in the order of the document. `isRepeated`: its object has it already. */
export type FieldListener = (path: string, isRepeated: boolean) => void;

/** Scans text that is known to be JSON. Takes time linear in the text and no recursion; more for a listener. */
export function scanJson(json: string, onField?: FieldListener): JsonScan {
  const levels: Level[] = [];
  const duplicates = new Set<string>();
  let depth = 0;
  for (let position = 0; position < json.length; position++) {
    const level = levels.at(-1);
    switch (json.charAt(position)) {
      case '{':
      case '[':
        levels.push(
          json.charAt(position) === '{'
            ? { keys: new Set(), at: '', inValue: false }
            : { keys: undefined, at: 0, inValue: true },
        );
        depth = Math.max(depth, levels.length);
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ':':
        if (level !== undefined) level.inValue = true;
        break;
      case ',':
        if (level !== undefined) next(level);
        break;
      case '"': {
        const end = endOfString(json, position);
        if (level?.keys !== undefined && !level.inValue) {
          level.at = keyText(json.slice(position, end + 1));
          const isRepeated = level.keys.has(level.at);
          if (isRepeated) duplicates.add(pathOf(levels));
          else level.keys.add(level.at);
          onField?.(pathOf(levels), isRepeated);
        }
        position = end;
        break;
      }
      default:
    }
  }
  return { duplicates: [...duplicates], depth };
}

function next(level: Level): void {
  if (typeof level.at === 'number') level.at++;
  else level.inValue = false;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, position: number): boolean {
  let slashes = 0;
  while (json[position - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** The key between its quotes. Two spellings of one key are one field. */
function keyText(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const { at } of levels) path += typeof at === 'number' ? `[${at}]` : path === '' ? at : `.${at}`;
  return path;
}
