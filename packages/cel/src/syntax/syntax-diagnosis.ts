/** Describes syntax errors. */
import { CelLexer } from './cel-lexer.ts';
import type { CelIssue } from './cel-source.ts';

/** The syntax errors of a text that does not parse. */
export function diagnoseSyntax(text: string): readonly CelIssue[] {
  const lexer = new CelLexer(text);
  lexer.next();
  return [{ offset: lexer.start, message: `Syntax error: ${lexer.value}` }];
}
