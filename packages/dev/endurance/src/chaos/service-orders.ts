/** Orders that the preloaded hooks of a service execute. */
export const MOVE_CLOCK = 'move-clock:';
export const KILL_WORKERS = 'kill-workers';
/** Prefix of an order that ends with 1 (on) or 0 (off). */
export const FAIL_LOOKUPS = 'fail-lookups:';
/** Host name whose lookups fail. */
export const LOOKED_UP = 'localhost';
