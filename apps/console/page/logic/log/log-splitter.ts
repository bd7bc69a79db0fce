/** The bytes of a log as lines of text. */

/** A longer line is cut: what is behind it is dropped, and the line says so. */
export const MAX_LOG_LINE_CHARS: number = 1024 * 1024;

/** Keeps at most one unfinished line. Bytes that are not UTF-8 become U+FFFD. */
export class LogSplitter {
  readonly #maxChars: number;
  readonly #decoder = new TextDecoder();
  /** In pieces: to join a long line anew with each chunk would cost its length each time. */
  #pieces: string[] = [];
  #kept = 0;
  #dropped = 0;

  constructor(maxChars: number = MAX_LOG_LINE_CHARS) {
    this.#maxChars = maxChars;
  }

  /** The lines that end in this chunk, without their ends. */
  push(chunk: Uint8Array): readonly string[] {
    const parts = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => {
      this.#add(part);
      return this.#take();
    });
    this.#add(last);
    return lines;
  }

  /** What stands behind the last end of a line; `''` when that is nothing. The splitter is empty then. */
  end(): string {
    this.#add(this.#decoder.decode());
    return this.#take();
  }

  #add(part: string): void {
    const room = Math.max(0, this.#maxChars - this.#kept);
    const taken = part.length > room ? part.slice(0, room) : part;
    if (taken !== '') this.#pieces.push(taken);
    this.#kept += taken.length;
    this.#dropped += part.length - taken.length;
  }

  #take(): string {
    const text = this.#pieces.join('').replace(/\r$/u, '');
    const cut = this.#dropped === 0 ? '' : ` … (${this.#dropped} more characters)`;
    this.#pieces = [];
    this.#kept = 0;
    this.#dropped = 0;
    return text + cut;
  }
}
