/** Prints one change as one line. */

import type { ApiObject } from '@listwatch/api';
import { type Paint, printable, printableJson, type Style } from '@listwatch/api/internal';
import { elapsedText, timeOfDay } from '../terminal/elapsed-text.ts';
import { objectSummary } from './object-summary.ts';
import type { WatchedChange } from './watched-change.ts';

/** Aligned text, text with more columns, JSON, or names alone. */
export type ChangeFormat = 'json' | 'name' | 'text' | 'wide';

/** Options of a printer. */
export interface ChangePrinterOptions {
  readonly format: ChangeFormat;
  readonly paint: Paint;
  /** What `-o name` puts before the slash: `pod`, `deployment.apps`. */
  readonly typeName: string;
  /** Print the namespace before each name. */
  readonly allNamespaces: boolean;
}

/** Prints a change that came at `now`, without a newline. */
export type ChangePrinter = (change: WatchedChange, now: number) => string;

/** Creates the printer for one run of the command. */
export function changePrinter({ format, paint, typeName, allNamespaces }: ChangePrinterOptions): ChangePrinter {
  if (format === 'json') return jsonLine;
  if (format === 'name') return ({ object }) => printable(`${typeName}/${object.metadata.name}`);
  const pad = growingColumn();
  return (change, now) => {
    const { object } = change;
    const words = [
      paint('dim', timeOfDay(now)),
      typeWord(change, paint),
      pad(nameOf(object, allNamespaces)),
      ...(format === 'wide' ? wideWords(object, now, paint) : []),
      change.finalStateKnown ? objectSummary(object) : paint('dim', 'deleted while disconnected'),
    ];
    return words.join(' ').trimEnd();
  };
}

/** As `kubectl get -o json --output-watch-events`, on one line, with fields of our own for initial objects and missed deletes. */
function jsonLine({ type, object, initial, finalStateKnown }: WatchedChange): string {
  const event = {
    type,
    ...(initial ? { initial } : {}),
    ...(finalStateKnown ? {} : { finalStateKnown }),
    object,
  };
  return printableJson(JSON.stringify(event));
}

const STYLES: Readonly<Record<WatchedChange['type'], Style>> = { ADDED: 'green', MODIFIED: 'yellow', DELETED: 'red' };

function typeWord({ type, initial }: WatchedChange, paint: Paint): string {
  return initial ? paint('dim', 'EXISTS  ') : paint(STYLES[type], type.padEnd('MODIFIED'.length));
}

function nameOf({ metadata: { namespace, name } }: ApiObject, allNamespaces: boolean): string {
  return printable(allNamespaces && namespace !== undefined ? `${namespace}/${name}` : name);
}

function wideWords({ metadata }: ApiObject, now: number, paint: Paint): readonly string[] {
  const { resourceVersion = '-', creationTimestamp, labels = {} } = metadata;
  const made = creationTimestamp === undefined ? Number.NaN : Date.parse(creationTimestamp);
  const age = Number.isNaN(made) ? '-' : elapsedText(now - made);
  const shown = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const labelText = printable(shown.join(',')) || '-';
  return [paint('dim', printable(`@${resourceVersion}`)), age.padEnd(6), paint('cyan', labelText)];
}

const WIDEST = 60;

/** Pads to the widest name so far; later ones are not known yet. */
function growingColumn(): (text: string) => string {
  let width = 0;
  return (text) => {
    width = Math.max(width, Math.min(text.length, WIDEST));
    return text.padEnd(width);
  };
}
