/** Numbers at equal distances. */

/** At most `count` whole numbers from `first` to `last`, both among them when there is room, ascending. */
export function spread(first: number, last: number, count: number): readonly number[] {
  const all = last - first + 1;
  if (all <= 0 || count <= 0) return [];
  if (count === 1) return [last];
  if (all <= count) return Array.from({ length: all }, (_, index) => first + index);
  return Array.from({ length: count }, (_, index) => first + Math.round((index * (all - 1)) / (count - 1)));
}
