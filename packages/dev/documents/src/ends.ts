/**
 * Codes with which a submission ends that is refused or expired, besides those of a node's refusal,
 * by what brings them about.
 */
const END_CODES: readonly { readonly code: string; readonly meaning: string }[] = [
  { code: 'NOT_SENT_IN_TIME', meaning: 'No account had room for it within `QUEUE_TIMEOUT_MS`.' },
  {
    code: 'NO_USABLE_LANE',
    meaning:
      'No account that may sign it could send within `QUEUE_TIMEOUT_MS`: each rests, is stopped, is being given up, or is in no settings.',
  },
  {
    code: 'UNDONE_BY_ROLLBACK',
    meaning:
      'Its outcome was undone with its block, after the note had got another attempt, which counts then, or once it was final: the same may be requested again. `reorged` shows what it was.',
  },
  {
    code: 'DEADLINE_PASSED',
    meaning:
      'It was not included within `SUBMISSION_DEADLINE_MS`, and its nonce was taken by a no-op.',
  },
];

/** The section of docs/reference/errors.md. */
export function renderEnds(): string[] {
  return [
    '## Ends without a transaction',
    '',
    'What stands in `details.refusal` of `SUBMISSION_REFUSED` and `SUBMISSION_EXPIRED`, and in `code` of `GET /api/relayer/submissions/{id}`: one of these,',
    '`NULLIFIER_SPENT` where the note was spent meanwhile by another transaction, or the name of the error with which the node refused the transaction,',
    'such as `VALIDATION_FAILURE`. Nothing of such a submission is or can be on chain.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...END_CODES.map(({ code, meaning }) => `| \`${code}\` | ${meaning} |`),
    '',
  ];
}
