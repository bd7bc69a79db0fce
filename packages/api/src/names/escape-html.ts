/** Text that no browser takes for HTML. */

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** As Kubernetes does in messages that repeat what a client sent; quotes stay. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPED[character] ?? character);
}
