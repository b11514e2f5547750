import { createHash } from 'node:crypto';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type {
  LaneSlot,
  LaneFence,
  NewSubmission,
  NewerCall,
  NonceConsumer,
  SignedTransaction,
  SubmissionCommand,
} from '../domain/events.js';
import type { ResourceBounds } from '../domain/resource-bounds.js';
import type { Attempt, AttemptRef, BlockRef, NonceRow, SeenExecution } from '../domain/rows.js';
import type { Ledger, CommandResult } from '../ports/ledger.port.js';
import { calldataText } from './kept-bytes.js';

const HOUR_MS = 3_600_000;
const DEFAULT_L2_PRICE_FRI = 24_000_000_000n;

/** Returns the submission of this name, with a unique content for each name. */
export function aSubmission(name: string, changes: Partial<NewSubmission> = {}): NewSubmission {
  return {
    key: `chain|pool|${name}`,
    id: `id-of-${name}`,
    effect: `effect of ${name}`,
    fingerprint: `fingerprint of ${name}`,
    kind: 'withdraw',
    subject: toFelt('0xaa1'),
    memo: `memo of ${name}`,
    role: 'relay',
    target: { to: toFelt('0x9001'), entrypoint: 'withdraw' },
    calldata: Felts.of([3n, BigInt(name.length), digest(name)]),
    limits: { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n },
    // A value above 2^63, so that no integer column can store it.
    terms: {
      feeAmount: 2n ** 64n,
      feeToken: toFelt('0x37b'),
      costFri: 2n ** 100n,
      strkUsdE8: 45_000_000n,
      feeTokenUsdE8: 9_500_000_000_000n,
      bounds: `bounds of ${name}`,
    },
    replayProtected: true,
    deadlineAfterMs: HOUR_MS,
    ...changes,
  };
}

/**
 * Returns a transaction whose bytes are not signed with a key, and whose resource bounds have this
 * L2 gas price.
 */
export function aSignedTransaction(
  name: string,
  l2PriceFri: bigint = DEFAULT_L2_PRICE_FRI,
): SignedTransaction {
  const bounds: ResourceBounds = {
    l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: l2PriceFri },
    l1Gas: { maxAmount: 256n, maxPriceFri: 2n ** 90n },
    l1DataGas: { maxAmount: 20_480n, maxPriceFri: 1n },
    tipFri: 0n,
  };
  return {
    hash: toFelt(digest(`${name} at ${l2PriceFri}`)),
    bounds,
    bytes: new TextEncoder().encode(`signed bytes of ${name} at ${l2PriceFri}`),
    calldataAt: null,
  };
}

/**
 * Returns a transaction with a call. The calldata is in the middle of the bytes. All other
 * properties equal those of {@link aSignedTransaction}.
 */
export function aSignedCall(name: string, calldata: Felts): SignedTransaction {
  const transaction = aSignedTransaction(name);
  const text = calldataText(calldata);
  const start = transaction.bytes.length;
  return {
    ...transaction,
    bytes: Uint8Array.from(Buffer.concat([transaction.bytes, text, Buffer.from('.')])),
    calldataAt: { start, end: start + text.length },
  };
}

/**
 * Returns a block. Equal arguments give the same block. `fork` distinguishes two blocks of the same
 * height.
 */
export function aBlock(number: number, fork = ''): BlockRef {
  return { number, hash: toFelt(digest(`block ${number}${fork}`)) };
}

/** Returns evidence of a node whose chain contains this block, ten blocks below its head. */
export function confirming(
  { number, hash }: BlockRef,
  l1BlockNumber: number | null = null,
): ChainEvidence {
  const head = aBlock(number + 10);
  return {
    first: head,
    last: head,
    blocks: new Map([
      [number, hash],
      [head.number, head.hash],
    ]),
    l1BlockNumber,
  };
}

/**
 * Returns evidence of a node whose chain has a different block at this height. The head of this
 * chain is derived from `head`.
 */
export function contradicting({ number }: BlockRef, head = 'that undoes'): ChainEvidence {
  const first = aBlock(number + 10, head);
  const shown = aBlock(number, `not ${number}`);
  return {
    first,
    last: first,
    blocks: new Map([
      [number, shown.hash],
      [first.number, first.hash],
    ]),
    l1BlockNumber: null,
  };
}

/**
 * Returns the transaction that consumed a nonce. By default, this transaction succeeded in block
 * 100.
 */
export function took(hash: Felt, changes: Partial<NonceConsumer> = {}): NonceConsumer {
  return {
    hash,
    execution: 'SUCCEEDED',
    revertReason: null,
    feeFri: 2n ** 70n,
    block: aBlock(100),
    ...changes,
  };
}

/**
 * Transaction that consumed a nonce but is not in the ledger: a third party signed it with the
 * lane's key.
 */
export const foreign: NonceConsumer = took(toFelt('0xf0e16'));

export interface Broadcast {
  readonly attempt: Attempt;
  readonly transaction: SignedTransaction;
  readonly nonce: bigint;
}

type Of<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * Writes common commands to a ledger from one leased lane, so that a test contains only the details
 * that matter for it.
 */
export class LedgerDriver {
  static readonly lane: Felt = toFelt('0x1a2e');
  static readonly instance = 'instance-a';
  static readonly node: string = 'node-0';
  static readonly ceilingL2PriceFri = 10n ** 12n;

  /** Fence of the last {@link lease}. */
  fence = 0n;
  #isIntroduced = false;

  constructor(
    readonly ledger: Ledger,
    readonly lane: Felt = LedgerDriver.lane,
  ) {}

  /**
   * Registers the lane and leases it. The first {@link store} introduces the lane at the stored
   * nonce, unless the lane was introduced before.
   */
  async lease(instance: string = LedgerDriver.instance, ttlMs = HOUR_MS): Promise<void> {
    await this.ledger.registerLane(this.lane, 'relay');
    const lane = await this.ledger.lease(this.lane, instance, ttlMs);
    if (lane === null) throw new Error('another instance holds the lane');
    this.fence = lane.fence;
    this.#isIntroduced = lane.nextNonce !== null;
  }

  get held(): LaneFence {
    return { lane: this.lane, fence: this.fence };
  }

  at(nonce: bigint): LaneSlot {
    return { ...this.held, nonce };
  }

  /**
   * Returns the nonce's row as read through the port, if the nonce is open or settled by a block;
   * otherwise null.
   */
  async row(nonce: bigint): Promise<NonceRow | null> {
    const open = (await this.ledger.openNonces(this.lane)).map(({ row }) => row);
    const unfinal = await this.ledger.unfinalNonces(this.lane, 'newest', 10_000);
    const final = await this.ledger.finalNonces(this.lane, 10_000);
    return [...open, ...unfinal, ...final].find((row) => row.nonce === nonce) ?? null;
  }

  /** Returns the current version of the nonce's row, which a new command has to contain. */
  async version(nonce: bigint): Promise<number> {
    return (await this.row(nonce))?.version ?? 0;
  }

  introduce(accountNonce: bigint, changes: Partial<Of<'introduce'>> = {}): Promise<CommandResult> {
    this.#isIntroduced = true;
    return this.ledger.apply({
      type: 'introduce',
      ...this.held,
      accountNonce,
      window: 20n,
      isAccepted: true,
      hasSentCalls: false,
      ...changes,
    });
  }

  request(name: string, changes: Partial<NewSubmission> = {}): Promise<CommandResult> {
    return this.ledger.apply({ type: 'request', submission: aSubmission(name, changes) });
  }

  /** Replaces the call of a waiting attempt by the call of the submission with this name. */
  renew(
    attempt: AttemptRef,
    name: string,
    changes: Partial<NewerCall> = {},
  ): Promise<CommandResult> {
    const { effect, fingerprint, calldata } = aSubmission(name);
    const newer = { effect, fingerprint, calldata, ...changes };
    return this.ledger.apply({ type: 'renew', attempt, ...newer });
  }

  endWaiting(
    attempt: AttemptRef,
    changes: Partial<Of<'end_waiting'>> = {},
  ): Promise<CommandResult> {
    return this.ledger.apply({
      type: 'end_waiting',
      attempt,
      to: 'expired',
      code: 'NOT_SENT_IN_TIME',
      notBeforeMs: 0,
      ...changes,
    });
  }

  /**
   * Stores bytes under a nonce, by default with the current version of its row.
   * @param attempt attempt whose call the bytes contain; null for a no-op
   */
  async store(
    attempt: AttemptRef | null,
    nonce: bigint,
    transaction: SignedTransaction,
    changes: Partial<Of<'store'>> = {},
  ): Promise<CommandResult> {
    if (!this.#isIntroduced) await this.introduce(nonce);
    const { ceilingL2PriceFri } = LedgerDriver;
    const version = changes.version ?? (await this.version(nonce));
    const fingerprint =
      attempt === null ? null : ((await this.ledger.attempt(attempt))?.fingerprint ?? null);
    const carried = { attempt, fingerprint, transaction };
    const event = {
      type: 'store',
      ...this.at(nonce),
      ...carried,
      node: LedgerDriver.node,
      ceilingL2PriceFri,
      nonceLimit: nonce + 1n,
    } as const;
    return this.ledger.apply({ ...event, version, ...changes });
  }

  claim(nonce: bigint, hash: Felt, node = LedgerDriver.node): Promise<CommandResult> {
    return this.ledger.apply({ type: 'claim', ...this.at(nonce), hash, node });
  }

  refuse(nonce: bigint, hash: Felt, changes: Partial<Of<'refusal'>> = {}): Promise<CommandResult> {
    return this.ledger.apply({
      type: 'refusal',
      ...this.at(nonce),
      hash,
      code: 'NODE_CODE',
      cause: 'call',
      ...changes,
    });
  }

  observe(nonce: bigint, hash: Felt, seen: SeenExecution | null): Promise<CommandResult> {
    return this.ledger.apply({ type: 'observe', lane: this.lane, nonce, hash, seen });
  }

  /** Settles a nonce, by default with the current version of its row. */
  async settle(
    nonce: bigint,
    consumer: NonceConsumer,
    changes: Partial<Of<'settle'>> = {},
  ): Promise<CommandResult> {
    const version = changes.version ?? (await this.version(nonce));
    return this.ledger.apply({
      type: 'settle',
      ...this.at(nonce),
      version,
      consumer,
      evidence: confirming(consumer.block),
      ...changes,
    });
  }

  /**
   * Makes a nonce final. By default its block is the settling block, which is at ACCEPTED_ON_L1.
   */
  async finalize(
    nonce: bigint,
    { isOnL1 = true, ...changes }: Partial<Of<'finalize'>> & { readonly isOnL1?: boolean } = {},
  ): Promise<CommandResult> {
    const block = changes.block ?? (await this.#blockOf(nonce));
    return this.ledger.apply({
      type: 'finalize',
      ...this.at(nonce),
      block,
      evidence: confirming(block, isOnL1 ? block.number : null),
      horizonMs: 24 * HOUR_MS,
      ...changes,
    });
  }

  /** Reopens a nonce whose block was undone; by default this is the settling block. */
  async reopen(nonce: bigint, changes: Partial<Of<'reopen'>> = {}): Promise<CommandResult> {
    const block = changes.block ?? (await this.#blockOf(nonce));
    return this.ledger.apply({
      type: 'reopen',
      ...this.at(nonce),
      block,
      evidence: contradicting(block),
      undone: block,
      earlier: null,
      ...changes,
    });
  }

  import(nonce: bigint, through: bigint = nonce): Promise<CommandResult> {
    return this.ledger.apply({ type: 'import', ...this.at(nonce), through });
  }

  quarantine(until: bigint, isAged = false): Promise<CommandResult> {
    return this.ledger.apply({ type: 'quarantine', ...this.held, until, isAged });
  }

  endQuarantine(...lanes: readonly Felt[]): Promise<CommandResult> {
    return this.ledger.apply({
      type: 'end_quarantine',
      lanes: lanes.length === 0 ? [this.lane] : lanes,
    });
  }

  /** Adopts the call of the submission with this name, which a lost ledger had sent. */
  adopt(nonce: bigint, name: string, consumer: NonceConsumer): Promise<CommandResult> {
    const { deadlineAfterMs: _deadline, ...submission } = aSubmission(name);
    const evidence = confirming(consumer.block);
    return this.ledger.apply({
      type: 'adopt',
      lane: this.lane,
      nonce,
      submission,
      consumer,
      evidence,
    });
  }

  succeed({ nonce, transaction }: Broadcast): Promise<CommandResult> {
    return this.settle(nonce, took(transaction.hash));
  }

  /** Requests a new submission and returns its accepted attempt. */
  async accepted(name: string, changes: Partial<NewSubmission> = {}): Promise<Attempt> {
    return written(await this.request(name, changes));
  }

  /** Requests a new submission and stores its transaction with the claim to the first send. */
  async broadcast(
    name: string,
    nonce: bigint,
    changes: Partial<NewSubmission> = {},
  ): Promise<Broadcast> {
    const { calldata } = aSubmission(name, changes);
    const transaction = aSignedCall(name, calldata);
    const attempt = written(
      await this.store(await this.accepted(name, changes), nonce, transaction),
    );
    return { attempt, transaction, nonce };
  }

  async #blockOf(nonce: bigint): Promise<BlockRef> {
    return (await this.row(nonce))?.settlement?.block ?? aBlock(0, 'that settled nothing');
  }
}

/**
 * Returns the attempt of a command that was applied.
 * @throws Error if the ledger rejected the command
 */
export function written(recorded: CommandResult): Attempt {
  if (!recorded.applied) throw new Error(`the ledger rejected it: ${recorded.because}`);
  if (recorded.attempt === null) throw new Error('the event was about no attempt');
  return recorded.attempt;
}

/** Hashes text to 248 bits, which always fit into a felt. */
function digest(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(2)}`);
}
