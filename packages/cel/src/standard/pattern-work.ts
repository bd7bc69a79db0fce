/** What it costs to compile a pattern, told from its text alone: eight characters can ask for a thousand instructions. */

/** A pattern with more work is refused: to compile it would hold the event loop for more than 30 ms. */
export const PATTERN_WORK_MAX = 10_000;

/** A Unicode class such as `\pL` has up to 700 ranges: to read it takes as long as so many instructions. */
const UNICODE_CLASS = 50;
/** The same for `\w` and `[:alpha:]`. */
const NAMED_CLASS = 2;
/** So many ranges of a class cost as much as an instruction, wherever a repeat puts it. */
const RANGES_PER_WORK = 16;
/** Letters without case have partners above this, and no partner beyond the end: a range is followed letter by letter. */
const FOLD_END = 0x1e943;
/** So many letters of a range cost as much as an instruction. */
const LETTERS_PER_WORK = 100;

/** Has the pattern a flag for letters of either case, anywhere? */
const IGNORES_CASE = /\(\?[a-zA-Z]*i/u;
const REPEAT = /\{(\d{1,5})(?:(,)(\d{0,5}))?\}/uy;
const CODE = /\\x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/uy;

/**
 * The instructions that a pattern compiles to, and about as many for the work on its classes. Never less than there are; more where the
 * text may mean two things. A pattern that is no pattern has a finite answer too.
 */
export function patternWork(pattern: string): number {
  return new PatternScan(pattern).work();
}

/** One walk over a pattern. */
class PatternScan {
  readonly #text: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  /** The work of reading classes: once for each, however often it is repeated. */
  #reading = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ignoresCase = IGNORES_CASE.test(text);
  }

  work(): number {
    // What stands before each group that is open, and the work within the innermost.
    const outer: number[] = [];
    let inner = 3;
    /** The work of what a repeat would repeat. It is part of `inner` already. */
    let last = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === '(') {
        outer.push(inner);
        inner = 2;
        last = 0;
        this.#at += 1;
      } else if (character === ')') {
        last = inner;
        inner += outer.pop() ?? 0;
        this.#at += 1;
      } else if (character === '*' || character === '+' || character === '?') {
        // A few of them repeat nothing: those behind `(`, and those that make a repeat lazy.
        inner += 2;
        last += 2;
        this.#at += 1;
      } else {
        const times = character === '{' ? this.#repeat() : undefined;
        if (times !== undefined) {
          const all = (last + 1) * times;
          inner += all;
          last = all;
          continue;
        }
        last = this.#atom(character);
        inner += last;
      }
    }
    return this.#reading + outer.reduce((sum, one) => sum + one, inner);
  }

  /** How often `{2,5}` repeats at most; undefined for a brace that is a character. */
  #repeat(): number | undefined {
    REPEAT.lastIndex = this.#at;
    const match = REPEAT.exec(this.#text);
    if (match === null) return undefined;
    this.#at = REPEAT.lastIndex;
    return Math.max(1, Number(match[1]), Number(match[3] ?? 0));
  }

  #atom(character: string): number {
    if (character === '[') return this.#class();
    if (character !== '\\') {
      this.#at += 1;
      return this.#ignoresCase ? 2 : 1;
    }
    if (this.#text.startsWith('\\Q', this.#at)) return this.#quoted();
    return this.#classOf(this.#escape().work);
  }

  /** `\Q...\E`: all characters stand for themselves. */
  #quoted(): number {
    const end = this.#text.indexOf('\\E', this.#at);
    const next = end < 0 ? this.#text.length : end + 2;
    const work = 2 * (next - this.#at);
    this.#at = next;
    return work;
  }

  /** `[...]`: the work of its ranges. The first character is never its end. */
  #class(): number {
    let ranges = 1;
    this.#at += 1;
    if (this.#text.charAt(this.#at) === '^') this.#at += 1;
    for (let isFirst = true; this.#at < this.#text.length; isFirst = false) {
      if (this.#text.charAt(this.#at) === ']' && !isFirst) break;
      ranges += this.#item();
    }
    this.#at += 1;
    return this.#classOf(ranges);
  }

  /** One instruction, which may have many ranges. */
  #classOf(ranges: number): number {
    this.#reading += ranges;
    return 1 + Math.floor(ranges / RANGES_PER_WORK);
  }

  /** A character, a range or a class within a class. */
  #item(): number {
    if (this.#text.startsWith('[:', this.#at)) {
      // The name is not skipped: should this be no name, its characters count.
      this.#at += 2;
      return NAMED_CLASS;
    }
    const low = this.#escape();
    const isRange = this.#text.charAt(this.#at) === '-' && this.#text.charAt(this.#at + 1) !== ']';
    if (!isRange) return 1 + low.work;
    this.#at += 1;
    const high = this.#escape();
    const letters = Math.max(0, Math.min(high.code, FOLD_END) - low.code);
    return 1 + low.work + high.work + (this.#ignoresCase ? Math.ceil(letters / LETTERS_PER_WORK) : 0);
  }

  /** A character, or an escape with the work that it is beside the instruction. A class has the code 0. */
  #escape(): { readonly code: number; readonly work: number } {
    const { codePoint, length } = this.#character();
    this.#at += length;
    if (codePoint !== BACKSLASH) return { code: codePoint, work: 0 };
    const next = this.#text.charAt(this.#at);
    if (next === 'x') return { code: this.#code(), work: 0 };
    this.#at += this.#character().length;
    if (next === 'p' || next === 'P') return { code: 0, work: this.#ignoresCase ? 2 * UNICODE_CLASS : UNICODE_CLASS };
    // An octal code is below 512; its other digits count as characters.
    return { code: 0, work: NAMED_CLASS };
  }

  #character(): { readonly codePoint: number; readonly length: number } {
    const codePoint = this.#text.codePointAt(this.#at) ?? 0;
    return { codePoint, length: codePoint > 0xffff ? 2 : 1 };
  }

  /** The code of `\x41` or `\x{1F600}`, behind its backslash. */
  #code(): number {
    CODE.lastIndex = this.#at - 1;
    const match = CODE.exec(this.#text);
    if (match === null) {
      this.#at += 1;
      return 0;
    }
    this.#at = CODE.lastIndex;
    return Number.parseInt(match[1] ?? match[2] ?? '0', 16);
  }
}

const BACKSLASH = 0x5c;
