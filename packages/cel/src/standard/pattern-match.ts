/** Matches compiled patterns. */

/** As much of a compiled pattern as is used. The types of re2js themselves need TypeScript 5.7, and users may have an older one. */
export interface MatchablePattern {
  programSize(): number;
  test(text: string): boolean;
  matcher(text: string): { find(): boolean };
}

/** Above this many instructions the states of an automaton do not fit into its memory: it would begin anew all the time. */
const AUTOMATON_MAX = 1000;

/** Does a compiled pattern match somewhere in the text? Whoever asks has counted the work. */
export function isMatch(expression: MatchablePattern, text: string): boolean {
  return expression.programSize() > AUTOMATON_MAX ? expression.matcher(text).find() : expression.test(text);
}
