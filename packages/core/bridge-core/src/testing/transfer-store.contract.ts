import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import { BRIDGE_CHAINS, STRK, assetsOf } from '../domain/catalogue.js';
import type { QuotedTerms } from '../domain/quoted-terms.js';
import { STEP_NAMES } from '../domain/step-names.js';
import { UNSEEN, advance, type Transfer } from '../domain/transfer.js';
import type { TransferStore } from '../ports/transfer-store.port.js';

export interface TransferStoreHarness {
  /** Store that contains no transfers. */
  readonly subject: TransferStore;
  /** Opens the same store again, as after a restart of the process. */
  reopen(): Promise<TransferStore>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_800_000_000_000;
const SECONDS = 1_800_000_000;

const underWay: Transfer = {
  ...UNSEEN,
  completedAtSeconds: [SECONDS, SECONDS + 7],
  next: 'processing',
  txHashes: { deposit_detected: '0xdeb0', bridge_to_destination: '5Nf9Qz' },
  observedAtMs: NOW_MS,
};

const [from] = BRIDGE_CHAINS.flatMap(assetsOf);
if (from === undefined) throw new Error('the catalogue is empty');
const terms: QuotedTerms = {
  from,
  to: STRK,
  // The amount needs more than 64 bits.
  amount: 10n ** 30n + 1n,
  estimatedOutput: 2n ** 255n,
  recipient: '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
  depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  depositMemo: 'a memo: 1/2',
  deadlineSeconds: SECONDS + 3_600,
};
const unconfirmed: Transfer = { ...underWay, unconfirmedSinceSeconds: SECONDS };

const shapes: readonly (readonly [string, Transfer])[] = [
  ['untouched', UNSEEN],
  ['quoted', { ...UNSEEN, terms }],
  [
    'quoted without memo and deadline',
    {
      ...UNSEEN,
      terms: { ...terms, depositMemo: null, deadlineSeconds: null },
    },
  ],
  ['claimed to be delivered', unconfirmed],
  [
    'deposited in part',
    {
      ...underWay,
      terms,
      isDepositIncomplete: true,
      amounts: { ...UNSEEN.amounts, deposited: '1.5 ETH', missing: '0.5 ETH' },
    },
  ],
  [
    'refunded with a reason',
    {
      ...underWay,
      next: 'failed',
      refunded: true,
      amounts: { ...UNSEEN.amounts, refunded: '1.49 ETH' },
      reasonText: 'SLIPPAGE “exceeded”',
    },
  ],
  ['under way', underWay],
  ['waiting between two steps', { ...underWay, next: 'pending' }],
  ['failed', { ...underWay, next: 'failed' }],
  ['failed and refunded', { ...underWay, next: 'failed', refunded: true }],
  [
    'completed',
    {
      ...UNSEEN,
      completedAtSeconds: STEP_NAMES.map((_, index) => SECONDS + index),
      next: 'pending',
      txHashes: Object.fromEntries(STEP_NAMES.map((step) => [step, `0x${step.length}`])),
      refunded: false,
      amounts: { ...UNSEEN.amounts, output: '831.2 STRK', shortfall: '10 STRK' },
    },
  ],
];

export function describeTransferStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TransferStoreHarness>,
): void {
  describe(`TransferStore contract (${name})`, () => {
    let harness: TransferStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it.each(shapes)(
      'the store returns a stored bridge transfer unchanged, also after a restart: %s',
      async (_, transfer) => {
        const { subject } = harness;
        expect(await subject.update('transfer-1', NOW_MS, () => transfer)).toEqual(transfer);
        expect(await subject.get('transfer-1')).toEqual(transfer);
        expect(await (await harness.reopen()).get('transfer-1')).toEqual(transfer);
      },
    );

    it('the store returns null for an unknown transfer id, even if only the case of letters differs from a stored id', async () => {
      const { subject } = harness;
      await subject.update('transfer-1', NOW_MS, () => underWay);
      expect(await subject.get('transfer-2')).toBeNull();
      expect(await subject.get('Transfer-1')).toBeNull();
      expect(await subject.update('transfer-2', NOW_MS, (known) => known ?? UNSEEN)).toEqual(
        UNSEEN,
      );
      expect(await subject.get('transfer-1')).toEqual(underWay);
    });

    it('the store passes the stored bridge transfer to each update and stores the result', async () => {
      const { subject } = harness;
      await subject.update('transfer-1', NOW_MS, () => underWay);
      const failed = await subject.update('transfer-1', NOW_MS + 1, (known) => ({
        ...(known ?? UNSEEN),
        next: 'failed',
      }));
      expect(failed).toEqual({ ...underWay, next: 'failed' });
      expect(await subject.get('transfer-1')).toEqual(failed);
    });

    it('the store applies all concurrent updates of a bridge transfer', async () => {
      const { subject } = harness;
      const sightings = [3, 1, 4, 2, 4, 1].map((completedSteps) => ({
        completedSteps,
        next: 'processing' as const,
        refunded: false,
        details: {},
      }));
      await Promise.all(
        sightings.map((reportedStatus, index) =>
          subject.update('transfer-1', NOW_MS, (known) =>
            advance(known ?? UNSEEN, reportedStatus, SECONDS + index),
          ),
        ),
      );
      expect((await subject.get('transfer-1'))?.completedAtSeconds).toHaveLength(4);
    });

    it('the stored bridge transfer does not change if the function that updates it throws', async () => {
      const { subject } = harness;
      await subject.update('transfer-1', NOW_MS, () => underWay);
      const broken = subject.update('transfer-1', NOW_MS, () => {
        throw new RangeError('no');
      });
      await expect(broken).rejects.toBeInstanceOf(Error);
      expect(await subject.get('transfer-1')).toEqual(underWay);
    });

    it('deletes bridge transfers whose last change was before the time limit, and returns their number', async () => {
      const { subject } = harness;
      await subject.update('old', NOW_MS, () => underWay);
      await subject.update('changed', NOW_MS, () => underWay);
      await subject.update('changed', NOW_MS + 2, (known) => ({
        ...(known ?? UNSEEN),
        next: 'failed',
      }));
      await subject.update('unchanged', NOW_MS, () => underWay);
      await subject.update('unchanged', NOW_MS + 2, (known) => known ?? UNSEEN);
      expect(await subject.forget({ usedMs: NOW_MS, unusedMs: 0 })).toBe(0);
      expect(await subject.forget({ usedMs: NOW_MS + 1, unusedMs: 0 })).toBe(2);
      expect(await subject.get('old')).toBeNull();
      expect(await subject.get('unchanged')).toBeNull();
      expect(await subject.get('changed')).not.toBeNull();
    });

    it('deletes bridge quotes without a deposit after a separate time limit', async () => {
      const { subject } = harness;
      await subject.update('quoted', NOW_MS, () => ({ ...UNSEEN, terms }));
      await subject.update('arriving', NOW_MS, () => ({ ...UNSEEN, terms, next: 'processing' }));
      await subject.update('claimed', NOW_MS, () => ({
        ...UNSEEN,
        terms,
        unconfirmedSinceSeconds: SECONDS,
      }));
      expect(await subject.forget({ usedMs: NOW_MS - 1, unusedMs: NOW_MS })).toBe(0);
      expect(await subject.forget({ usedMs: NOW_MS - 1, unusedMs: NOW_MS + 1 })).toBe(1);
      expect(await subject.get('quoted')).toBeNull();
      expect(await subject.forget({ usedMs: NOW_MS + 1, unusedMs: NOW_MS })).toBe(2);
    });

    it('counts bridge transfers whose unconfirmed delivery was first reported at or before the given time', async () => {
      const { subject } = harness;
      await subject.update('under way', NOW_MS, () => underWay);
      await subject.update('claimed', NOW_MS, () => unconfirmed);
      await subject.update('claimed later', NOW_MS, () => ({
        ...unconfirmed,
        unconfirmedSinceSeconds: SECONDS + 1,
      }));
      expect(await subject.countUnconfirmed(SECONDS - 1)).toBe(0);
      expect(await subject.countUnconfirmed(SECONDS)).toBe(1);
      expect(await subject.countUnconfirmed(SECONDS + 1)).toBe(2);
    });

    it('calls of the transfer store fail while the store is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.get('transfer-1')).rejects.toBeInstanceOf(DomainError);
      await expect(subject.update('transfer-1', NOW_MS, () => underWay)).rejects.toBeInstanceOf(
        DomainError,
      );
      await expect(subject.forget({ usedMs: NOW_MS, unusedMs: NOW_MS })).rejects.toBeInstanceOf(
        DomainError,
      );
      await expect(subject.countUnconfirmed(SECONDS)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
