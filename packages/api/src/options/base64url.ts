/** Base64 for URLs, without padding, as strict as the decoder of Kubernetes. */

/** Encodes bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes text; line breaks are skipped. Throws a SyntaxError that names the first bad place, as Kubernetes does. */
export function decodeBase64Url(text: string): Uint8Array {
  const bad = text.search(/[^A-Za-z0-9_\-\r\n]/);
  if (bad >= 0) throw new SyntaxError(`illegal base64 data at input byte ${bad}`);
  const digits = text.replace(/[\r\n]/g, '');
  // A last digit alone holds six bits: no byte.
  if (digits.length % 4 === 1) throw new SyntaxError(`illegal base64 data at input byte ${text.length - 1}`);
  const binary = atob(digits.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
