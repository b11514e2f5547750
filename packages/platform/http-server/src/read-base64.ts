import { InvalidRequest } from './errors.js';

/**
 * Decodes the base64 text at `path` of the request. The text must be canonical, so that equal bytes
 * always have equal texts: the standard alphabet with padding, without white space, and with unused
 * bits of 0.
 * @throws InvalidRequest if the text is not canonical base64. The error does not repeat the text.
 */
export function readBase64(path: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw new InvalidRequest([
      { path, message: 'must be canonical base64: standard alphabet, padded, no white space' },
    ]);
  return bytes;
}
