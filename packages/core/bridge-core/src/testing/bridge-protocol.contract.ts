import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import { isAddress } from '../domain/address.js';
import { BRIDGE_CHAINS, STRK, assetsOf, type BridgeAsset } from '../domain/catalogue.js';
import type { DepositInstructions, TransferRequest } from '../domain/transfer-quote.js';
import type { TransferStatusReport } from '../domain/status-report.js';
import { STEP_NAMES } from '../domain/step-names.js';
import type { BridgeProtocol } from '../ports/bridge-protocol.port.js';

/**
 * Behaviour of the staged protocol until a test sets another state.
 *
 * - `working`: quotes and executes transfers.
 * - `no_route`, `amount_too_low`, `recipient_refused`: refuses quotes for this reason.
 * - `unknown_word`: reports an unknown status value for transfers.
 * - `down`: the protocol is unavailable.
 * - `failing`: responds with HTTP 500.
 * - `html`: responds with an HTML page.
 * - `malformed`: responds with JSON without required fields.
 */
export type BridgeProtocolState =
  | 'working'
  | 'no_route'
  | 'amount_too_low'
  | 'recipient_refused'
  | 'unknown_word'
  | 'down'
  | 'failing'
  | 'html'
  | 'malformed';

export interface BridgeProtocolHarness {
  /** Protocol in state `working`, whose minimum amount is below 1 ETH and below 1,000 STRK. */
  readonly subject: BridgeProtocol;
  /** Transfer id in the protocol's format that the protocol does not know. */
  readonly unknownId: string;
  stage(state: BridgeProtocolState): Promise<void>;
  /**
   * Makes the quoted funds arrive on the source chain. After this call, the protocol has not yet
   * confirmed the deposit.
   */
  deposit(transactionId: string): Promise<void>;
  /** Completes the step that is in progress. */
  finishStep(transactionId: string): Promise<void>;
  /** Makes the step in progress fail. */
  failStep(transactionId: string): Promise<void>;
  /** Refunds a failed transfer. */
  refund(transactionId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface BridgeProtocolContractOptions {
  /**
   * True if the protocol reports every step. For a protocol that reports only `in progress`, the
   * tests of intermediate steps are skipped.
   * @default true
   */
  readonly showsEveryStep?: boolean;
}

const STARKNET_ADDRESS = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
/** First example address in the specification of EIP-55. */
const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function listed(chain: string, symbol: string): BridgeAsset {
  const asset = BRIDGE_CHAINS.flatMap(assetsOf).find(
    (candidate) => candidate.chain === chain && candidate.symbol === symbol,
  );
  if (asset === undefined) throw new Error('not in the catalogue');
  return asset;
}

const ETH = listed('ethereum', 'ETH');
const inwards = { from: ETH, to: STRK, amount: 10n ** 18n, refundTo: EVM_ADDRESS };
const outwards = { from: STRK, to: ETH, amount: 1_000n * 10n ** 18n, refundTo: STARKNET_ADDRESS };
const dryIn: TransferRequest = { ...inwards, dryRun: true, recipient: null };
const realIn: TransferRequest = { ...inwards, dryRun: false, recipient: STARKNET_ADDRESS };
const realOut: TransferRequest = { ...outwards, dryRun: false, recipient: EVM_ADDRESS };

export function describeBridgeProtocolContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<BridgeProtocolHarness>,
  { showsEveryStep = true }: BridgeProtocolContractOptions = {},
): void {
  describe(`BridgeProtocol contract (${name})`, () => {
    let harness: BridgeProtocolHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    const order = async (request: TransferRequest = realIn): Promise<DepositInstructions> => {
      const answer = await harness.subject.quote(request);
      if (answer.kind !== 'quoted' || answer.quote.deposit === null)
        throw new Error('the harness quotes');
      return answer.quote.deposit;
    };
    const sight = async (transactionId: string): Promise<TransferStatusReport> => {
      const reportedStatus = await harness.subject.status(transactionId, null);
      if (reportedStatus === null) throw new Error('the protocol does not know the transfer');
      return reportedStatus;
    };

    it.each([
      ['in', dryIn],
      ['out', { ...outwards, dryRun: true, recipient: null } as const],
      ['in, for a recipient', { ...inwards, dryRun: true, recipient: STARKNET_ADDRESS } as const],
    ])(
      'the bridge protocol returns an estimate without a deposit address for a transfer %s',
      async (_, request) => {
        const answer = await harness.subject.quote(request);
        expect(answer).toMatchObject({ kind: 'quoted', quote: { deposit: null } });
        expect(answer.kind === 'quoted' && answer.quote.estimatedOutput > 0n).toBe(true);
      },
    );

    it.each(
      BRIDGE_CHAINS.flatMap(assetsOf).map(
        (asset) => [`${asset.symbol} on ${asset.chain}`, asset] as const,
      ),
    )(
      'the bridge protocol quotes transfers to and from every listed asset: %s',
      async (_, asset) => {
        const amount = 1_000n * 10n ** BigInt(asset.decimals);
        const dry = { dryRun: true, recipient: null, refundTo: null } as const;
        expect(
          await harness.subject.quote({ from: asset, to: STRK, amount, ...dry }),
        ).toMatchObject({
          kind: 'quoted',
        });
        expect(
          await harness.subject.quote({ from: STRK, to: asset, amount: 10n ** 21n, ...dry }),
        ).toMatchObject({ kind: 'quoted' });
      },
    );

    it.each([
      ['in', realIn],
      ['out', realOut],
    ])(
      'the bridge protocol returns a unique id and a source chain address for each transfer %s',
      async (_, request) => {
        const first = await order(request);
        const second = await order(request);
        expect(isAddress(request.from.family, first.address)).toBe(true);
        expect(first.transactionId).not.toBe('');
        expect(second.transactionId).not.toBe(first.transactionId);
      },
    );

    it('the bridge protocol reports no progress before the deposit', async () => {
      const { transactionId } = await order();
      expect(await sight(transactionId)).toMatchObject({
        completedSteps: 0,
        next: 'pending',
        refunded: false,
      });
    });

    it('the bridge protocol returns null as the status of an unknown transfer id', async () => {
      expect(await harness.subject.status(harness.unknownId, null)).toBeNull();
    });

    it('the bridge protocol reports the deposit’s transaction and then each confirmed step', async () => {
      const { transactionId } = await order();
      await harness.deposit(transactionId);
      const arrived = await sight(transactionId);
      expect(arrived).toMatchObject({ completedSteps: 0, next: 'processing' });
      expect(arrived.details.deposit_detected?.txHash).toEqual(expect.any(String));
      await harness.finishStep(transactionId);
      expect(await sight(transactionId)).toMatchObject({ completedSteps: 1, next: 'processing' });
      for (const _ of STEP_NAMES.slice(1)) await harness.finishStep(transactionId);
      const ended = await sight(transactionId);
      expect(ended).toMatchObject({ completedSteps: 5, refunded: false });
      expect(ended.output).toEqual({
        tokens: expect.stringMatching(/^[0-9.]+$/),
        symbol: 'STRK',
      });
    });

    (showsEveryStep ? it : it.skip)('reports every step', async () => {
      const { transactionId } = await order(realOut);
      await harness.deposit(transactionId);
      for (const done of [1, 2, 3, 4]) {
        await harness.finishStep(transactionId);
        expect(await sight(transactionId)).toMatchObject({
          completedSteps: done,
          next: 'processing',
        });
      }
    });

    it('the bridge protocol reports a failed step, and afterwards the refund', async () => {
      const { transactionId } = await order();
      await harness.deposit(transactionId);
      await harness.finishStep(transactionId);
      await harness.failStep(transactionId);
      expect(await sight(transactionId)).toMatchObject({ next: 'failed', refunded: false });
      await harness.refund(transactionId);
      expect(await sight(transactionId)).toMatchObject({
        completedSteps: 1,
        next: 'failed',
        refunded: true,
      });
    });

    it('an unknown status value of the bridge protocol is read as progress without a completed step', async () => {
      const { transactionId } = await order();
      await harness.stage('unknown_word');
      expect(await sight(transactionId)).toMatchObject({
        completedSteps: 0,
        next: 'processing',
        refunded: false,
      });
    });

    it.each(['no_route', 'amount_too_low', 'recipient_refused'] as const)(
      'the reason %s is reported if the bridge protocol rejects a quote',
      async (kind) => {
        await harness.stage(kind);
        expect(await harness.subject.quote(dryIn)).toMatchObject({ kind });
        expect(await harness.subject.quote(realIn)).toMatchObject({ kind });
      },
    );

    it.each(['down', 'failing', 'html', 'malformed'] as const)(
      'calls fail with a DomainError while the bridge protocol’s state is %s',
      async (state) => {
        const { transactionId } = await order();
        await harness.stage(state);
        await expect(harness.subject.quote(dryIn)).rejects.toBeInstanceOf(DomainError);
        await expect(harness.subject.quote(realIn)).rejects.toBeInstanceOf(DomainError);
        await expect(harness.subject.status(transactionId, null)).rejects.toBeInstanceOf(
          DomainError,
        );
      },
    );
  });
}
