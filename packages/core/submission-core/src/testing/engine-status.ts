import type { LaneStatus } from '../application/lane/lane-status.js';
import type { LaneIdentity } from '../application/settings.js';
import type { EngineStatus } from '../application/engine/submission-engine.js';
import type { AuditStatus } from '../audit/auditor.js';

/** Status of a submission engine without lanes and without problems. */
export const calm: EngineStatus = {
  lanes: [],
  polledAgoMs: 5,
  ledger: null,
  stuck: [],
  notJudged: null,
  alarms: { foreign: 0, reopened: 0, reopenedFinal: 0, disprovedRefusals: 0, sharedInstanceIds: 0 },
  clockSkewMs: { store: null, chain: null },
  isStrict: false,
};

/** Status of a configured lane with nothing in flight. */
export function laneOf(
  lane: LaneIdentity & Pick<LaneStatus, 'state'> & Partial<LaneStatus>,
): LaneStatus {
  return { reason: null, openNonces: 0, isConfigured: true, ...lane };
}

/** Status of an auditor that has read all blocks and attempts and has no findings. */
export const clean: AuditStatus = {
  firstBlock: 1,
  lastBlock: 9,
  behindBlocks: 0,
  isAtLastEnd: true,
  completedAtMs: 0,
  findings: {
    ATTEMPT_PAID_TWICE: 0,
    ENDED_BUT_INCLUDED: 0,
    TOLD_BUT_NOT_ON_CHAIN: 0,
    OUTCOME_DIFFERS: 0,
    CARRIES_ANOTHER_CALL: 0,
    SETTLED_OTHERWISE: 0,
    NOT_IN_LEDGER: 0,
    FOREIGN: 0,
    NOT_SETTLED: 0,
  },
  contradictions: 0,
  suspects: 0,
  unrepeated: 0,
  problem: null,
};
