import { z } from 'zod';
import type { HttpPolicy } from '../../../composition/bindings.js';
import type { SubmitWithdrawal } from '@sotto/relayer-core';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { PreferHeader, prefersAsync } from '../../prefer.js';
import { readFelt, readFelts } from '../../read-felt.js';
import {
  EXAMPLE_CALLDATA,
  EXAMPLE_POOL,
  FeltText,
  LeafIndex,
  PROOF_BODY_BYTES,
  ProofCalldata,
  QuoteId,
} from '../../schemas.js';
import {
  SUCCEEDED_EXAMPLE,
  TransactionResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
  transactionReply,
  transactionResultOf,
} from './answers.js';
import { DRY_RUN_EXAMPLE, DryRunQuery, DryRunReport } from './dry-run.js';

const WithdrawRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    calldata: ProofCalldata,
    leafIndex: LeafIndex.optional().meta({
      description:
        'The note of the swap pool that the proof spends. The proof names it as the start of a batch of 1, so it may be left out; another one is refused.',
    }),
    quoteId: QuoteId.optional().meta({
      description:
        'A quote for this pool: the proof’s fee is then judged by it and not by present prices. It serves one withdrawal.',
    }),
  })
  .meta({ id: 'WithdrawRequest' });

const replies = transactionReplies(TransactionResult, SUCCEEDED_EXAMPLE, UNDECIDED_EXAMPLE);

const withdraw = describeRoute({
  method: 'post',
  path: '/api/relayer/withdraw',
  operationId: 'submitWithdrawal',
  summary: 'Relay a withdrawal proof to a shielded pool',
  description:
    'Takes proofs of every pool that is served, the swap pool among them: a note that a private swap left is a batch of 1 there, and pays its fee in its own token. ' +
    'Checks the proof, puts it on chain exactly once and waits for the outcome. The same request again gets the same submission and the same answer. ' +
    'After one that ended without success it is a new attempt. With `dryRun=true` it only runs the checks and reports each, at no cost.',
  tag: 'relayer',
  limitedAs: 'submissions',
  body: {
    schema: WithdrawRequest,
    limitBytes: PROOF_BODY_BYTES,
    examples: {
      plain: {
        summary: 'A withdrawal (calldata shortened)',
        value: { poolAddress: EXAMPLE_POOL, calldata: EXAMPLE_CALLDATA },
      },
      quoted: {
        summary: 'A withdrawal that cites a quote (calldata shortened)',
        value: {
          poolAddress: EXAMPLE_POOL,
          calldata: EXAMPLE_CALLDATA,
          quoteId: 'q7Zr0cV4T1mJx2yN8bKdLw',
        },
      },
    },
  },
  query: DryRunQuery,
  headers: PreferHeader,
  replies: {
    ...replies,
    200: {
      ...replies[200],
      description: `${replies[200].description}; or the report of a dry run, which has no submission resource`,
      schema: z.union([TransactionResult, DryRunReport]),
      examples: { ...replies[200].examples, dryRun: DRY_RUN_EXAMPLE },
    },
  },
  errors: ERRORS_OF.withdraw,
});

/** `POST /api/relayer/withdraw`. A caller who goes away stops the waiting, never the submission. */
export class WithdrawRoute implements Route {
  static readonly definition = withdraw;
  readonly definition = withdraw;
  readonly handler = handlerFor(withdraw, (input) => this.#answer(input));

  constructor(
    private readonly submitWithdrawal: SubmitWithdrawal,
    private readonly policy: HttpPolicy,
  ) {}

  async #answer({
    body,
    query,
    headers,
    caller,
    signal,
  }: InputOf<typeof withdraw>): Promise<AnswerOf<typeof withdraw>> {
    const withdrawal = {
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      calldata: readFelts('body.calldata', body.calldata),
      ...(body.leafIndex === undefined ? {} : { leafIndex: body.leafIndex }),
      ...(body.quoteId === undefined ? {} : { quoteId: body.quoteId }),
      caller,
    };
    if (query.dryRun === 'true')
      return { status: 200, body: await this.submitWithdrawal.dryRun(withdrawal) };

    const preferredAsync = prefersAsync(headers);
    const waitMs = preferredAsync ? 0 : this.policy.waitForConfirmationMs;
    const { submissionId, answer } = await this.submitWithdrawal.execute({
      ...withdrawal,
      waitMs,
      signal,
    });
    return transactionReply(submissionId, answer, transactionResultOf(answer), preferredAsync);
  }
}
