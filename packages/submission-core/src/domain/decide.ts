import type { SubmissionEvent } from './events.js';
import type { Decision, View } from './view.js';

export function decide(_event: SubmissionEvent, _view: View): Decision {
  return { written: false, because: 'unknown_row' };
}
