/** Writes header blocks: every field in full, so that no state is shared with the server. */

/** The first bits of a field with a new name that is not to be remembered. */
const LITERAL = 0x00;

/** The fields as bytes. Names are lower-case; text is ASCII. */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.from([LITERAL]), textBytes(name), textBytes(value)]),
  );
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([lengthBytes(bytes.length), bytes]);
}

/** An integer behind a prefix of seven bits. */
function lengthBytes(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
