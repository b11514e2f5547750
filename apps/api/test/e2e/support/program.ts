/** The built service. */
export const PROGRAM = new URL('../../../dist/service.js', import.meta.url).href;

/**
 * Node options for a service in tests. The large memory for young objects makes garbage collections
 * rare, because a service allocates little after its start.
 */
export const NODE_OPTIONS = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Environment variables of a service in tests. The delays suit slow machines. */
export const QUICK = {
  POLL_INTERVAL_MS: '50',
  IDLE_INTERVAL_MS: '200',
  RESEND_AFTER_MS: '1000',
  NODE_TIMEOUT_MS: '120000',
  NODE_SEND_TIMEOUT_MS: '120000',
  POLL_TIMEOUT_MS: '300000',
  WAIT_FOR_CONFIRMATION_MS: '300000',
  // All requests of a test come from one caller, which sends more requests per second than one
  // person sends per minute.
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '10000',
  RATE_LIMIT_READS_PER_MINUTE: '10000',
  // Tests have no load balancer that must notice the end of the service.
  SHUTDOWN_DRAIN_MS: '0',
};
