/** Orders that a service with the preloaded hooks carries out. */
export const MOVE_CLOCK = 'move-clock:';
export const KILL_WORKERS = 'kill-workers';
/** Followed by 1 or 0. */
export const FAIL_LOOKUPS = 'fail-lookups:';
/** Name whose lookups fail. */
export const LOOKED_UP = 'localhost';
