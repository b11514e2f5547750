import {
  eventually,
  type Answer,
  type SandboxUrls,
  type Service,
  type WithdrawOptions,
} from '@sotto/process-kit';
import { PrivacyProver, sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { feeAddress, withdrawalBody } from './withdrawals.js';

/** Request of a caller. Each repetition sends the same body. */
export interface LoadRequest {
  readonly send: (
    service: Service,
    options?: Pick<WithdrawOptions, 'headers' | 'signal'>,
  ) => Promise<Answer>;
}

/** Returns the request of the caller with this index. Each index spends other notes. */
export type LoadRequests = (index: number) => Promise<LoadRequest>;

/** Load of withdrawals only. */
export const withdrawals: LoadRequests = async (index) => {
  const body = withdrawalBody(index);
  return { send: (service, options) => service.withdraw(body, options) };
};

const STRK = sandboxWorld.tokens.STRK.address;
const ONE_STRK = 10n ** 18n;
/** Amount that each private action pays to {@link PRIVATE_RECIPIENT}, in fri. */
const PAYMENT_FRI = ONE_STRK;
/** Fee of each private action, in fri: above the cost at four times the initial gas prices. */
const FEE_FRI = 20n * ONE_STRK;
/** Recipient of all private actions, and of nothing else. */
const PRIVATE_RECIPIENT = 0x7e57n;

/**
 * Load in which two of three requests are private actions and the third one is a withdrawal. Groups
 * of four callers contain both.
 */
export function mixedRequests({
  rpcUrl,
  controlUrl,
}: Pick<SandboxUrls, 'rpcUrl' | 'controlUrl'>): LoadRequests {
  const prover = new PrivacyProver({ rpcUrl, controlUrl, seed: 'endurance' });
  const proven = new Map<number, Promise<PrivateRequest>>();
  const prove = (index: number): Promise<PrivateRequest> =>
    prover.withdraw(
      {
        payments: [{ to: PRIVATE_RECIPIENT, token: STRK, amount: PAYMENT_FRI }],
        fee: { to: BigInt(feeAddress), token: STRK, amount: FEE_FRI },
      },
      { notes: [index] },
    );
  return async (index) => {
    if (index % 3 === 1) return withdrawals(index);
    // A busy node may close a connection before it reads the query.
    const proof =
      proven.get(index) ??
      eventually('private actions to be proven', () => prove(index).catch(() => undefined));
    proven.set(index, proof);
    const { poolAddress, calldata, proofFacts, proof: text } = await proof;
    const body = { poolAddress, calldata, proofFacts, proof: text };
    return {
      send: (service, { headers = {}, signal } = {}) =>
        service.post('/api/relayer/private-action', body, headers, signal),
    };
  };
}

/** Returns how many private actions the pool has applied, and how many have paid their fee. */
export async function privatePayments(chain: {
  readonly strkOf: (owner: bigint) => Promise<bigint>;
}): Promise<{ readonly paid: number; readonly fees: number }> {
  const [paid, fees] = await Promise.all([
    chain.strkOf(PRIVATE_RECIPIENT),
    chain.strkOf(BigInt(feeAddress)),
  ]);
  return { paid: Number(paid) / Number(PAYMENT_FRI), fees: Number(fees) / Number(FEE_FRI) };
}
