export { FakeUpstreamDown, failure } from './failure.js';
export { ManualClock } from './manual-clock.js';
