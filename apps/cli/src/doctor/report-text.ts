/** The report as a table for people. */

import { type Paint, printable, type Style } from '@listwatch/api/internal';
import { countText, millisText } from './amount-text.ts';
import { type Finding, isWrong, type Verdict } from './finding.ts';
import type { DoctorReport } from './report-json.ts';

/** How it is drawn. */
export interface ReportStyle {
  readonly paint: Paint;
  /** Lines are wrapped to this; undefined: not at all. */
  readonly columns: number | undefined;
}

const STYLES: Readonly<Record<Verdict, Style>> = {
  ok: 'green',
  note: 'cyan',
  warn: 'yellow',
  fail: 'red',
  skipped: 'dim',
};
const GAP = '  ';
const NARROWEST = 30;

/** All lines, without an end. Text of the server cannot steer the terminal. */
export function reportText(report: DoctorReport, style: ReportStyle): string {
  const nameWidth = Math.max('CHECK'.length, ...report.checks.map(({ name }) => name.length));
  const verdictWidth = 'skipped'.length;
  const indent = ' '.repeat(nameWidth + verdictWidth + 2 * GAP.length);
  const lines = [
    style.paint('bold', `${'CHECK'.padEnd(nameWidth)}${GAP}${'VERDICT'.padEnd(verdictWidth)}${GAP}FINDING`),
  ];
  for (const { name, findings } of report.checks) {
    for (const [index, finding] of findings.entries()) {
      const head = (index === 0 ? name : '').padEnd(nameWidth);
      const verdict = style.paint(STYLES[finding.verdict], finding.verdict.padEnd(verdictWidth));
      const [first = '', ...rest] = findingLines(finding, indent.length, style);
      lines.push(`${head}${GAP}${verdict}${GAP}${first}`, ...rest.map((line) => `${indent}${line}`.trimEnd()));
    }
  }
  return [...lines, '', ...tables(report), summaryLine(report)].join('\n');
}

function findingLines(
  { summary, advice }: Finding,
  indent: number,
  { columns, paint }: ReportStyle,
): readonly string[] {
  const width = columns === undefined ? undefined : Math.max(NARROWEST, columns - indent);
  const told = wrapped(printable(summary), width);
  if (advice === undefined) return told;
  return [...told, ...wrapped(`-> ${printable(advice)}`, width).map((line) => paint('dim', line))];
}

/** Breaks at spaces; a word that is too long stays whole. */
function wrapped(text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function tables({ checks }: DoctorReport): readonly string[] {
  const all = checks.flatMap(({ findings }) => findings.flatMap(({ table }) => (table === undefined ? [] : [table])));
  return all.flatMap((table) => [...tableLines(table), '']);
}

function tableLines(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function summaryLine({ server, checks, requests, ms }: DoctorReport): string {
  const wrong = checks.flatMap(({ findings }) => findings).filter(({ verdict }) => isWrong(verdict)).length;
  const verdict = wrong === 0 ? 'nothing is wrong' : `${countText(wrong, 'finding')} to look at`;
  return printable(`${server}: ${verdict}; ${countText(requests, 'request')} in ${millisText(ms)}`);
}
