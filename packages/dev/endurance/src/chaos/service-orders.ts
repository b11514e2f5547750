/** Orders that the preloaded hooks of a service execute. */
export const MOVE_CLOCK = 'move-clock:';
export const KILL_WORKERS = 'kill-workers';
/**
 * Prefix of the order that makes lookups of a host name fail or work again. After the prefix, 1
 * makes them fail and 0 makes them work.
 */
export const FAIL_LOOKUPS = 'fail-lookups:';
/** Host name whose lookups the order affects. */
export const LOOKED_UP = 'localhost';
