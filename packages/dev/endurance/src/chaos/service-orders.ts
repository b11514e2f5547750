/** Orders that the preloaded hooks of a service execute. */
export const MOVE_CLOCK = 'move-clock:';
export const KILL_WORKERS = 'kill-workers';
/** Prefix of the order that makes lookups fail. The order ends with 1 (on) or 0 (off). */
export const FAIL_LOOKUPS = 'fail-lookups:';
/** Host name whose lookups the order affects. */
export const LOOKED_UP = 'localhost';
