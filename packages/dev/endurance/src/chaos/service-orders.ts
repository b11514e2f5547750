/** What a service with the hooks preloaded does when it is sent these. */
export const MOVE_CLOCK = 'move-clock:';
export const KILL_WORKERS = 'kill-workers';
