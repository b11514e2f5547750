export { accountAddress } from './account-address.js';
export { FakeUpstreamDown, failure } from './failure.js';
export { ManualClock } from './manual-clock.js';
export { type TestRunner } from './test-runner.js';
export { MovingClock } from './moving-clock.js';
