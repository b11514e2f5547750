/** Error for a command that the stack cannot execute; the message is for the user. */
export class DevError extends Error {}
