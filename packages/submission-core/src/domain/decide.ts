import type { SubmissionEvent } from './events.js';
import { catchUp, cancel, fill, replace } from './transitions/fillers.js';
import { prepare, release } from './transitions/prepare.js';
import { endWaiting, request } from './transitions/request.js';
import { claim, observe, refusal } from './transitions/send.js';
import { settle } from './transitions/settle.js';
import type { Decision, View } from './view.js';

/**
 * The submission machine: what `event` writes, given the rows it depends on. Pure; each case is a row of the transition table in
 * `docs/submission-machine.md`, and guards are judged on rows read in the transaction that will write.
 */
export function decide(event: SubmissionEvent, view: View): Decision {
  switch (event.type) {
    case 'request':
      return request(event, view);
    case 'end_waiting':
      return endWaiting(event, view);
    case 'prepare':
      return prepare(event, view);
    case 'release':
      return release(event, view);
    case 'claim':
      return claim(event, view);
    case 'refusal':
      return refusal(event, view);
    case 'observe':
      return observe(event, view);
    case 'replace':
      return replace(event, view);
    case 'cancel':
      return cancel(event, view);
    case 'fill':
      return fill(event, view);
    case 'catch_up':
      return catchUp(event, view);
    case 'settle':
      return settle(event, view);
  }
}
