/** The built service. */
export const PROGRAM = new URL('../../../dist/service.js', import.meta.url).href;

/**
 * Options for a service of a test, which allocates little after its start: with this much room for
 * young objects it needs few collections.
 */
export const NODE_OPTIONS = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Variables of a service for tests, with delays that suit slow machines. */
export const QUICK = {
  POLL_INTERVAL_MS: '50',
  IDLE_INTERVAL_MS: '200',
  RESEND_AFTER_MS: '1000',
  NODE_TIMEOUT_MS: '120000',
  NODE_SEND_TIMEOUT_MS: '120000',
  LOOK_TIMEOUT_MS: '300000',
  WAIT_FOR_CONFIRMATION_MS: '300000',
  // One test is one caller, and sends more requests in a second than people do in a minute.
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '10000',
  RATE_LIMIT_READS_PER_MINUTE: '10000',
  // No balancer has to notice the stop.
  SHUTDOWN_DRAIN_MS: '0',
};
