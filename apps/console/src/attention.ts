import type { Status } from './service.js';
import { age, counted, plain, short, type Said } from './words.js';

/** Returns the items that need an operator, worst first. The verdict's reasons are not included. */
export function attentionOf({
  alarms,
  audit,
  attention,
  keeper,
  notAnswered,
  ledger,
  clockSkewSeconds,
}: Status): readonly Said[] {
  const findings = Object.entries(audit.findings).filter(([, count]) => count > 0);
  const skew = Object.entries(clockSkewSeconds).filter(
    ([, seconds]) => seconds !== null && Math.abs(seconds) > ODD_SKEW_SECONDS,
  );
  return [
    ...(alarms.foreignTransactions > 0
      ? [
          bad(
            `${counted(alarms.foreignTransactions, 'transaction')} of our accounts that this service did not send`,
          ),
        ]
      : []),
    ...(alarms.reopenedFinalNonces > 0
      ? [bad(`${counted(alarms.reopenedFinalNonces, 'final nonce')} opened again by a reorg`)]
      : []),
    ...(alarms.sharedInstanceIds > 0
      ? [bad('Two processes run under one INSTANCE_ID: give each its own')]
      : []),
    ...findings.map(([code, count]) => bad(`The audit found ${plain(code)}: ${count}`)),
    ...(audit.problem === null ? [] : [care(`The last audit was not complete: ${audit.problem}`)]),
    ...(ledger.state === 'UP_TO_DATE' ? [] : [bad(`The ledger: ${plain(ledger.state)}`)]),
    ...(alarms.reopenedNonces > 0
      ? [care(`${counted(alarms.reopenedNonces, 'settled nonce')} opened again by a reorg`)]
      : []),
    ...(alarms.disprovedRefusals > 0
      ? [
          care(
            `${counted(alarms.disprovedRefusals, 'refused transaction')} landed despite the refusal`,
          ),
        ]
      : []),
    ...attention.map(({ lane, nonce, forSeconds }) =>
      care(`Nonce ${nonce} of ${short(lane)} is undecided for ${age(forSeconds * 1_000)}`),
    ),
    ...keeper.alerts.map(({ task, subject, meaning }) =>
      care(`Keeper, ${task}${subject === null ? '' : ` ${subject}`}: ${meaning}`),
    ),
    ...skew.map(([of, seconds]) =>
      care(`The clock differs from the ${of}’s by ${String(seconds)} s`),
    ),
    ...notAnswered.map(({ part, code, cause, knownSecondsAgo }) =>
      care(
        `${part} did not answer (${code}${cause === null ? '' : `, ${cause}`}): ${
          knownSecondsAgo === null
            ? 'nothing of it is shown'
            : `shown as it was ${age(knownSecondsAgo * 1_000)} ago`
        }`,
      ),
    ),
  ];
}

/**
 * Clock difference in seconds above which an item is added. With a smaller limit, the item would
 * often be wrong, because the newest block is always some seconds old.
 */
const ODD_SKEW_SECONDS = 30;

const bad = (text: string): Said => ({ tone: 'bad', text });
const care = (text: string): Said => ({ tone: 'care', text });
