/** Several errors as Go prints them together: equal ones once. */
export function goErrors(messages: readonly string[]): string {
  const [only = '', ...others] = new Set(messages);
  return others.length === 0 ? only : `[${[only, ...others].join(', ')}]`;
}
