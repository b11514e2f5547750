/**
 * Error that prevents the signer's start. The message contains the name of the setting and is safe
 * to print.
 */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
