import type { SolverAsset } from './assets.js';
import { depositAddress } from './deposit-address.js';
import { FaultQueue } from '../http/fault-queue.js';
import type { SolverEndpoint, SolverFaultOrder } from './faults.js';
import {
  SOLVER_STEPS,
  SolverTransfer,
  type Pace,
  type SolverStep,
  type TransferOrder,
} from './transfer.js';

/** Settings of the bridge solver. */
export interface SolverSettings extends Pace {
  /** Duration of each step after the deposit, in milliseconds. @default 2_000 */
  readonly stepMs: number | 'manual';
  /** Time from a failure to the refund, in milliseconds. @default 5_000 */
  readonly refundMs: number | 'manual';
  /** Fee of the solver, in 1/10,000. @default 30 */
  readonly feeBps: number;
  /** Minimum value of a transfer, in USD cents. @default 100 */
  readonly minimumUsdCents: number;
  /**
   * True if a status in the specification's format contains the steps in addition to the overall
   * status.
   * @default true
   */
  readonly showSteps: boolean;
}

const DEFAULT_SETTINGS: SolverSettings = {
  stepMs: 2_000,
  refundMs: 5_000,
  feeBps: 30,
  minimumUsdCents: 100,
  showSteps: true,
};

/** Number of units of 1e-4 USD in one US cent. */
const USD_E4_PER_CENT = 100n;
const BPS = 10_000n;
/** Time that the solver waits for the deposit, in milliseconds. */
const DEPOSIT_WINDOW_MS = 3_600_000;
/** Maximum number of recorded requests. Older ones are deleted. */
const REMEMBERED_REQUESTS = 200;

/** Request that the solver received; recorded even if a fault affects it. */
export interface SolverRequest {
  readonly shape: 'spec' | '1click';
  readonly endpoint: SolverEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  /** Query string of a GET request, or body text of a POST request. */
  readonly text: string;
}

/** State of a transfer that a test can read. */
export interface SolverTransferView {
  readonly depositAddress: string;
  readonly amount: bigint;
  readonly completedSteps: readonly SolverStep[];
  readonly failedStep: SolverStep | null;
  readonly refunded: boolean;
}

/**
 * Control interface of the solver: simulates deposits on the source chain, advances transfers and
 * injects faults. A transfer is identified by its transaction id or its deposit address.
 */
export class Solver {
  readonly faults = new FaultQueue<SolverFaultOrder>();
  #settings: SolverSettings;
  #requests: SolverRequest[] = [];
  readonly #transfers = new Map<string, SolverTransfer>();
  #count = 0;

  constructor(
    private readonly nowMsOf: () => number,
    settings: Partial<SolverSettings> = {},
  ) {
    this.#settings = { ...DEFAULT_SETTINGS, ...settings };
  }

  get settings(): SolverSettings {
    return this.#settings;
  }

  nowMs(): number {
    return this.nowMsOf();
  }

  /**
   * Changes the settings. Steps that are already due are first performed with the earlier settings.
   * Omitted settings do not change.
   */
  configure(settings: Partial<SolverSettings>): void {
    for (const transfer of this.#transfers.values()) this.#settle(transfer);
    this.#settings = { ...this.#settings, ...settings };
  }

  // --- the source chain ---

  /**
   * Simulates a deposit of funds at a deposit address. Returns the transaction hash.
   * @param amount amount in smallest units. If it is below the transfer's required amount, the
   *   transfer waits until a refund.
   * @default the required amount
   * @throws RangeError if the transfer is unknown or already has a deposit
   */
  deposit(transactionId: string, amount?: bigint): string {
    const transfer = this.#known(transactionId);
    return transfer.receive(amount ?? transfer.order.amount, this.nowMs());
  }

  // --- transfers ---

  /**
   * Ends the current step of a transfer. The step fails if {@link failAt} selected this step;
   * otherwise it succeeds.
   * @throws RangeError if the transfer has no current step
   */
  finishStep(transactionId: string): void {
    this.#known(transactionId).finishStep(this.nowMs());
  }

  /**
   * Ends the current step of a transfer as failed. @throws RangeError if the transfer has no
   * current step
   */
  failStep(transactionId: string): void {
    this.#known(transactionId).failStep(this.nowMs());
  }

  /**
   * Makes a step fail when the transfer reaches it. @throws RangeError if the transfer is unknown
   */
  failAt(transactionId: string, step: SolverStep): void {
    this.#known(transactionId).failsAt = step;
  }

  /**
   * Refunds the funds of a transfer now. @throws RangeError if no step has failed and the deposit
   * is complete
   */
  refund(transactionId: string): void {
    this.#known(transactionId).refund(this.nowMs());
  }

  /** Returns the state of a transfer. @throws RangeError if the transfer is unknown */
  transfer(transactionId: string): SolverTransferView {
    const transfer = this.#known(transactionId);
    const { completions, failedAtMs, refundedAtMs, order } = transfer;
    return {
      depositAddress: order.depositAddress,
      amount: order.amount,
      completedSteps: SOLVER_STEPS.slice(0, completions.length),
      failedStep: failedAtMs === undefined ? null : (SOLVER_STEPS[completions.length] ?? null),
      refunded: refundedAtMs !== undefined,
    };
  }

  // --- faults ---

  /** Queues a fault for the next requests that match it. */
  addFault(order: SolverFaultOrder): void {
    this.faults.add(order);
  }

  /** Removes queued faults. */
  clearFaults(): void {
    this.faults.clear();
  }

  // --- records ---

  /** Most recent requests, oldest first. */
  requests(): readonly SolverRequest[] {
    return this.#requests;
  }

  // --- for the endpoints ---

  record(request: SolverRequest): void {
    this.#requests = [...this.#requests, request].slice(-REMEMBERED_REQUESTS);
  }

  /**
   * Returns the amount of token `to` that the solver pays for `amount` of token `from`, after its
   * fee.
   */
  outputOf(from: SolverAsset, to: SolverAsset, amount: bigint): bigint {
    const kept = BPS - BigInt(this.#settings.feeBps);
    return (
      (amount * from.usdE4 * kept * 10n ** BigInt(to.decimals)) /
      (10n ** BigInt(from.decimals) * to.usdE4 * BPS)
    );
  }

  /** Returns the minimum amount that the solver transfers, in the token's smallest unit. */
  minimumOf({ decimals, usdE4 }: SolverAsset): bigint {
    const units =
      BigInt(this.#settings.minimumUsdCents) * USD_E4_PER_CENT * 10n ** BigInt(decimals);
    return (units + usdE4 - 1n) / usdE4;
  }

  /** Creates a transfer with a new deposit address. */
  open(order: Omit<TransferOrder, 'id' | 'depositAddress' | 'deadlineMs'>): TransferOrder {
    this.#count += 1;
    const id = `bridge-${this.nowMs().toString(36)}-${this.#count}`;
    const address = depositAddress(order.from.chain, id);
    const opened = {
      ...order,
      id,
      depositAddress: address,
      deadlineMs: this.nowMs() + DEPOSIT_WINDOW_MS,
    };
    const transfer = new SolverTransfer(opened);
    this.#transfers.set(id, transfer);
    this.#transfers.set(address, transfer);
    return opened;
  }

  /** Performs the due steps of a transfer and returns the transfer; undefined if it is unknown. */
  find(name: string): SolverTransfer | undefined {
    const transfer = this.#transfers.get(name);
    if (transfer !== undefined) this.#settle(transfer);
    return transfer;
  }

  #known(name: string): SolverTransfer {
    const transfer = this.find(name);
    if (transfer === undefined) throw new RangeError('no such transfer');
    return transfer;
  }

  #settle(transfer: SolverTransfer): void {
    transfer.settle(this.nowMs(), this.#settings);
  }
}
