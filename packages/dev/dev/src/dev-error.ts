/** Error for a command that the stack cannot execute, with a message for the user. */
export class DevError extends Error {}
