/** Error that prevents a start. The message names the setting and is safe to print. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
