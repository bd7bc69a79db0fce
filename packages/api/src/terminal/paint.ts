/** Colours for a terminal. */

/** The few styles that are used. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Puts text in a style, or leaves it alone. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** A painter for this output: it paints on a terminal, unless `NO_COLOR` is set (no-color.org). */
export function painter(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  if (!isTerminal || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return (_style, text) => text;
  return (style, text) => {
    const [on, off] = CODES[style];
    return `\u001B[${on}m${text}\u001B[${off}m`;
  };
}
