/** Text with the codes of terminals: colors are kept, everything else that a terminal would do is not done. */

/** A piece of text in one style. */
export interface TextSpan {
  readonly text: string;
  /** Classes of the style sheet, `''` for none. */
  readonly style: string;
}

/** CSI sequences, OSC strings (titles, links), and escapes of one letter. */
// oxlint-disable-next-line no-control-regex -- these are the codes
const CODES = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/gu;
const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Control characters, and marks that turn the direction of text. */
// oxlint-disable-next-line no-control-regex -- these are shown as signs
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const PICTURES = 0x2400;
const DELETE = 0x7f;

/** The text without codes. */
export function withoutCodes(text: string): string {
  return text.includes('\u001b') ? text.replaceAll(CODES, '') : text;
}

/** The text as it can be shown: what cannot be seen is a sign. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return code === DELETE ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The pieces of a line. */
export function ansiSpans(text: string): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let style: Style = { color: '', isBold: false };
  let from = 0;
  const add = (to: number): void => {
    if (to > from) spans.push({ text: visibleText(text.slice(from, to)), style: classesOf(style) });
  };
  for (const match of text.matchAll(CODES)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') style = styleAfter(style, match[1] ?? '');
  }
  add(text.length);
  return spans;
}

interface Style {
  readonly color: string;
  readonly isBold: boolean;
}

function styleAfter(before: Style, parameters: string): Style {
  let style = before;
  const codes = parameters.split(/[;:]/u).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) style = { color: '', isBold: false };
    else if (code === 1) style = { ...style, isBold: true };
    else if (code === 22) style = { ...style, isBold: false };
    else if (code === 39) style = { ...style, color: '' };
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      style = { ...style, color: COLORS[code % 10] ?? '' };
    } else if (code === 38 || code === 48) {
      // 5;N is one of 256 colors, 2;R;G;B any: only the first 16 have names.
      const isIndexed = codes[index + 1] === 5;
      const color = codes[index + 2] ?? 16;
      if (code === 38) style = { ...style, color: isIndexed && color < 16 ? (COLORS[color % 8] ?? '') : '' };
      index += isIndexed ? 2 : 4;
    }
  }
  return style;
}

function classesOf({ color, isBold }: Style): string {
  return [color === '' ? '' : `ansi-${color}`, isBold ? 'ansi-bold' : ''].filter((name) => name !== '').join(' ');
}
