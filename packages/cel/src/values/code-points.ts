/** Sizes of strings in code points. */

/** The number of code points. */
export function codePointCount(text: string): number {
  const { length } = text;
  let pairs = 0;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        pairs++;
        index++;
      }
    }
  }
  return length - pairs;
}
