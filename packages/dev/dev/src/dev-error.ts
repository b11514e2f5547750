/** The stack can't do what was asked; the message says why, for people. */
export class DevError extends Error {}
