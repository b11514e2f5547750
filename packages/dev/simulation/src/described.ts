import type { SubmissionCommand } from '@sotto/submission-core';

/** Describes a command in one line of the run's log. */
export function described(event: SubmissionCommand): string {
  const at =
    'lane' in event && 'nonce' in event
      ? ` ${event.lane}/${event.nonce}`
      : 'lane' in event
        ? ` ${event.lane}`
        : '';
  const { type } = event;
  switch (event.type) {
    case 'request':
      return `request ${event.submission.key} as ${event.submission.id}`;
    case 'renew':
      return `renew ${event.attempt.key}.${event.attempt.attempt} as ${event.fingerprint}`;
    case 'end_waiting':
      return `end_waiting ${event.attempt.key}.${event.attempt.attempt}: ${event.to} ${event.code}`;
    case 'store':
      return `store${at} v${event.version} ${event.attempt === null ? 'no-op' : `${event.attempt.key}.${event.attempt.attempt}`} ${event.transaction.hash}`;
    case 'settle':
      return `settle${at} v${event.version} by ${event.consumer.hash} ${event.consumer.execution} in block ${event.consumer.block.number} (${event.consumer.block.hash})`;
    case 'refusal':
      return `refusal${at} of ${event.hash}: ${event.code}, ${event.cause}`;
    case 'claim':
      return `claim${at} ${event.hash}`;
    case 'finalize':
    case 'reopen':
      return `${type}${at}, settled in block ${event.block.number} (${event.block.hash})`;
    case 'adopt':
      return `adopt${at} ${event.submission.key}: ${event.consumer.hash} ${event.consumer.execution}`;
    case 'introduce':
      return `introduce${at} at ${event.accountNonce}, ${event.isAccepted ? 'accepted' : 'in question'}`;
    case 'quarantine':
      return `quarantine${at} until ${event.until}${event.isAged ? ', aged' : ''}`;
    case 'import':
      return `import${at} through ${event.through}`;
    case 'end_quarantine':
      return `end_quarantine ${event.lanes.join(', ')}`;
    case 'observe':
      return `observe${at} ${event.hash}: ${event.seen?.execution ?? 'nothing'}`;
  }
}
