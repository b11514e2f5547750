import type { SubmissionCommand } from './events.js';
import { adopt } from './transitions/adopt.js';
import { endQuarantine, importNonce, introduce, quarantine } from './transitions/lanes.js';
import { endWaiting, renew, request } from './transitions/request.js';
import { claim, observe, rejection } from './transitions/send.js';
import { finalize, reopen, settle } from './transitions/settle.js';
import { store } from './transitions/store.js';
import type { Decision, MachineState } from './machine-state.js';

/**
 * Decides which rows the command `event` writes, given the rows that it depends on. Pure. Each case
 * is a row of the transition table in `docs/submission-machine.md`. The conditions are checked on
 * rows that were read in the same database transaction that writes.
 */
export function decide(event: SubmissionCommand, view: MachineState): Decision {
  switch (event.type) {
    case 'request':
      return request(event, view);
    case 'renew':
      return renew(event, view);
    case 'end_waiting':
      return endWaiting(event, view);
    case 'store':
      return store(event, view);
    case 'claim':
      return claim(event, view);
    case 'refusal':
      return rejection(event, view);
    case 'observe':
      return observe(event, view);
    case 'settle':
      return settle(event, view);
    case 'finalize':
      return finalize(event, view);
    case 'reopen':
      return reopen(event, view);
    case 'import':
      return importNonce(event, view);
    case 'introduce':
      return introduce(event, view);
    case 'quarantine':
      return quarantine(event, view);
    case 'end_quarantine':
      return endQuarantine(event, view);
    case 'adopt':
      return adopt(event, view);
  }
}
