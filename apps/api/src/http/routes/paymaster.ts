import {
  implementJsonRpc,
  readFelt,
  rpcMethodOf,
  type Route,
  type RpcInput,
} from '@sotto/http-server';
import { toFelt, type Clock, type Felt } from '@sotto/kernel';
import type { UseCases } from '@sotto/relayer';
import type { Runtime } from '@sotto/relayer/service';
import { FeeTooLow, outsideCallsTypedData, type PrivateActionQuote } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import type { SubmissionAnswer } from '@sotto/submission-core';
import type { HttpPolicy } from '../http-policy.js';
import { paymasterError, poolFeeTooLow, rpcErrorOf } from '../paymaster/errors.js';
import {
  builtCallsOf,
  privateActionOf,
  requireServed,
  timeBoundsRejection,
} from '../paymaster/private-action-of.js';
import { submissionIdOf, trackingIdOf } from '../paymaster/tracking-id.js';
import { watchedBy } from './relaying.js';
import { loggedOf } from './transactions.js';

/**
 * Maximum time in ms for which an execution waits. Wallets show no progress during the wait, and
 * the hash is usually known within a second.
 */
const MAX_WAIT_MS = 15_000;

/**
 * Maximum size in bytes of a small body. Only executions have larger bodies, because of their proof
 * and calldata.
 */
const SMALL_BODY_BYTES = 16 * 1024;

/** Hash of a submission without a signed transaction. SNIP-29 requires a felt. */
const NO_HASH = '0x0';

/** The parts of a relayer that the paymaster uses. */
export interface PaymasterParts extends Pick<
  UseCases,
  'submitPrivateAction' | 'quotePrivateAction' | 'getSubmission' | 'notifySubmission'
> {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly readiness: Pick<Runtime['readiness'], 'report'>;
}

type Input = RpcInput<typeof routes.paymaster>;
const { PAYMASTER_METHODS: METHODS } = routes;
const method = rpcMethodOf(routes.paymaster);

/** Serves private actions to wallets, in the interface of SNIP-29. */
export function paymasterRoute(
  parts: PaymasterParts,
  { waitForConfirmationMs, chainId }: Pick<HttpPolicy, 'waitForConfirmationMs' | 'chainId'>,
): Route {
  const { quotePrivateAction, readiness } = parts;
  const waitMs = Math.min(waitForConfirmationMs, MAX_WAIT_MS);
  return implementJsonRpc(routes.paymaster, {
    small: { bytes: SMALL_BODY_BYTES, limitedAs: 'reads' },
    errorOf: rpcErrorOf,
    methods: {
      paymaster_isAvailable: method('reads', METHODS.paymaster_isAvailable, () =>
        quotePrivateAction.isAvailable(),
      ),
      paymaster_health: method(
        'reads',
        METHODS.paymaster_health,
        async () => (await readiness.report()).ready,
      ),
      paymaster_getSupportedTokens: method(
        'reads',
        METHODS.paymaster_getSupportedTokens,
        async () =>
          (await quotePrivateAction.tokens()).map(({ address, decimals, priceFri }) => ({
            token_address: address,
            decimals,
            price_in_strk: toFelt(priceFri),
          })),
      ),
      paymaster_buildTransaction: buildTransaction(parts, chainId),
      paymaster_executeTransaction: executeTransaction(parts, chainId, waitMs),
      paymaster_trackingIdToLatestHash: trackingIdToLatestHash(parts),
    },
  });
}

const buildTransaction = ({ quotePrivateAction, clock }: PaymasterParts, chainId: Felt) =>
  method(
    'quotes',
    METHODS.paymaster_buildTransaction,
    async ({ transaction, parameters }, { headers, caller }) => {
      requireServed(transaction);
      const ofTime = timeBoundsRejection(parameters, clock.nowMs());
      if (ofTime !== null) throw ofTime;
      const calls =
        transaction.type === 'apply_action' ? null : builtCallsOf(transaction, clock.nowMs());
      const { mode } = parameters.fee_mode;
      const place = 'params.transaction.apply_action.pool_address';
      const quote = await quotePrivateAction.execute({
        poolAddress: readFelt(place, transaction.apply_action.pool_address),
        token: await feeTokenOf(parameters, quotePrivateAction),
        feeMode: mode,
        isWithOutsideCalls: calls !== null,
        ...sponsorOf(headers),
        caller,
      });
      return {
        type: transaction.type,
        parameters,
        ...feeOf(quote),
        ...(calls === null ? {} : { typed_data: { ...outsideCallsTypedData(calls, chainId) } }),
      };
    },
  );

/**
 * Returns the token of the fee. If a sponsor pays everything, the request names no token. The
 * amounts are then in the first served token.
 */
async function feeTokenOf(
  { fee_mode: feeMode }: routes.PaymasterParameters,
  quotes: Pick<UseCases['quotePrivateAction'], 'tokens'>,
): Promise<Felt> {
  const place = 'params.parameters.fee_mode';
  switch (feeMode.mode) {
    case 'default':
      return readFelt(`${place}.gas_token`, feeMode.gas_token);
    case 'sponsored_private':
      return readFelt(`${place}.pool_fee_token`, feeMode.pool_fee_token);
    case 'sponsored': {
      const [first] = await quotes.tokens();
      // Without a served token, the quote is rejected.
      return first?.address ?? toFelt(0n);
    }
  }
}

function feeOf({
  token,
  tokenPriceFri,
  costFri,
  costAmount,
  feeFri,
  feeAmount,
  recipient,
}: PrivateActionQuote) {
  return {
    fee: {
      gas_token_price_in_strk: toFelt(tokenPriceFri),
      estimated_fee_in_strk: toFelt(costFri),
      estimated_fee_in_gas_token: toFelt(costAmount),
      suggested_max_fee_in_strk: toFelt(feeFri),
      suggested_max_fee_in_gas_token: toFelt(feeAmount),
    },
    fee_action: { type: 'withdraw' as const, recipient, token, amount: toFelt(feeAmount) },
  };
}

const sponsorOf = ({ 'x-paymaster-api-key': sponsorKey }: Input['headers']) =>
  sponsorKey === undefined ? {} : { sponsorKey };

const executeTransaction = (
  { submitPrivateAction, notifySubmission, clock }: PaymasterParts,
  chainId: Felt,
  waitMs: number,
) =>
  method(
    'submissions',
    METHODS.paymaster_executeTransaction,
    ({ transaction, parameters }, { headers, caller, signal, note }) => {
      requireServed(transaction);
      const ofTime = timeBoundsRejection(parameters, clock.nowMs());
      const action = privateActionOf(transaction, parameters, chainId);
      // During the wait, only the parsed values remain in memory; the body does not.
      return (async () => {
        const submitted = await submitPrivateAction
          .execute({
            ...action,
            ...sponsorOf(headers),
            caller,
            ...watchedBy({ headers: {}, caller, note }, notifySubmission, false),
            waitMs,
            signal,
            // A repeat gets the answer of the first request at any time.
            ...(ofTime === null ? {} : { unlessKnown: ofTime }),
          })
          .catch((error: unknown) => {
            throw error instanceof FeeTooLow && action.feeMode === 'sponsored_private'
              ? poolFeeTooLow(error)
              : error;
          });
        note(loggedOf(submitted.answer));
        return executedOf(submitted);
      })();
    },
  );

/** @throws RpcError if no transaction is signed yet */
function executedOf({
  submissionId,
  answer,
}: {
  readonly submissionId: string;
  readonly answer: Exclude<SubmissionAnswer, { readonly kind: 'rejected' }>;
}) {
  const trackingId = trackingIdOf(submissionId);
  if (answer.transactionHash === null)
    throw paymasterError(
      'UNKNOWN_ERROR',
      `The transaction is accepted, but not signed yet. Send the same request again: it gets the same transaction. Its tracking id is ${trackingId}.`,
    );
  return { transaction_hash: answer.transactionHash, tracking_id: trackingId };
}

const trackingIdToLatestHash = ({ getSubmission }: PaymasterParts) =>
  method(
    'reads',
    METHODS.paymaster_trackingIdToLatestHash,
    async ({ tracking_id: trackingId }, { note }) => {
      const id = submissionIdOf(readFelt('params.tracking_id', trackingId));
      if (id === null)
        throw paymasterError('INVALID_ID', 'params.tracking_id: no transaction has this id');
      const answer = await getSubmission.execute(id);
      note(loggedOf(answer));
      return { transaction_hash: latestHashOf(answer), status: statusOf(answer) };
    },
  );

function latestHashOf(answer: SubmissionAnswer): string {
  const hash = answer.kind === 'rejected' ? null : answer.transactionHash;
  return hash ?? NO_HASH;
}

/**
 * Returns the status of SNIP-29. `accepted` means that a block accepted on L2 contains the
 * transaction, whether it succeeded or reverted. A pre-confirmed transaction is `active`, because
 * its hash can still change.
 */
function statusOf(answer: SubmissionAnswer): 'active' | 'accepted' | 'dropped' {
  switch (answer.kind) {
    case 'pending':
      return 'active';
    case 'executed':
      return answer.finality === 'PRE_CONFIRMED' ? 'active' : 'accepted';
    case 'rejected':
      return 'dropped';
  }
}
