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

/** How the solver works and answers. */
export interface SolverSettings extends Pace {
  /** Time per step, from the deposit on. @default 2_000 */
  readonly stepMs: number | 'manual';
  /** Time from a failure to the refund. @default 5_000 */
  readonly refundMs: number | 'manual';
  /** What it keeps, in 1/10,000. @default 30 */
  readonly feeBps: number;
  /** Least value of a transfer, in USD cents. @default 100 */
  readonly minimumUsdCents: number;
  /**
   * In the shape of the specification, whether a status lists the steps beside the overall word.
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

/** 1e-4 USD in a cent. */
const USD_E4_PER_CENT = 100n;
const BPS = 10_000n;
/** How long funds are waited for. */
const DEPOSIT_WINDOW_MS = 3_600_000;
/** The requests that are kept to be looked at. */
const REMEMBERED_REQUESTS = 200;

/** A request as it came, faults or not. */
export interface SolverRequest {
  readonly shape: 'spec' | '1click';
  readonly endpoint: SolverEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  /** The query as it stands in the URL, or the body's text. */
  readonly text: string;
}

/** A transfer to look at. */
export interface SolverTransferView {
  readonly depositAddress: string;
  readonly amount: bigint;
  readonly completedSteps: readonly SolverStep[];
  readonly failedStep: SolverStep | null;
  readonly refunded: boolean;
}

/**
 * The solver's other door: plays the source chain, moves transfers and makes things go wrong.
 * Transfers are named by their transaction id or by their deposit address.
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

  /** Changes how it works from now on. Settings left out stay. */
  configure(settings: Partial<SolverSettings>): void {
    for (const transfer of this.#transfers.values()) this.#settle(transfer);
    this.#settings = { ...this.#settings, ...settings };
  }

  // --- the source chain ---

  /**
   * Funds arrive at a deposit address; their transaction.
   * @param amount in smallest units; less than ordered keeps the transfer waiting until a refund.
   *   @default what was ordered
   * @throws RangeError for an unknown transfer or a second deposit
   */
  deposit(transactionId: string, amount?: bigint): string {
    const transfer = this.#known(transactionId);
    return transfer.receive(amount ?? transfer.order.amount, this.nowMs());
  }

  // --- what becomes of transfers ---

  /**
   * Ends the step under way, successfully unless a failure was ordered.
   * @throws RangeError without a step under way
   */
  finishStep(transactionId: string): void {
    this.#known(transactionId).finishStep(this.nowMs());
  }

  /** The step under way fails. @throws RangeError without a step under way */
  failStep(transactionId: string): void {
    this.#known(transactionId).failStep(this.nowMs());
  }

  /** This step will fail when its turn comes. @throws RangeError for an unknown transfer */
  failAt(transactionId: string, step: SolverStep): void {
    this.#known(transactionId).failsAt = step;
  }

  /** Sends the funds back now. @throws RangeError when nothing has failed */
  refund(transactionId: string): void {
    this.#known(transactionId).refund(this.nowMs());
  }

  /** Where a transfer is. @throws RangeError for an unknown one */
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

  // --- what goes wrong ---

  /** Queues a fault for the next fitting requests. */
  addFault(order: SolverFaultOrder): void {
    this.faults.add(order);
  }

  /** Forgets the faults that have not struck yet. */
  clearFaults(): void {
    this.faults.clear();
  }

  // --- what happened ---

  /** The last requests, oldest first. */
  requests(): readonly SolverRequest[] {
    return this.#requests;
  }

  // --- for the endpoints ---

  record(request: SolverRequest): void {
    this.#requests = [...this.#requests, request].slice(-REMEMBERED_REQUESTS);
  }

  /** What `amount` of a token brings of another. */
  outputOf(from: SolverAsset, to: SolverAsset, amount: bigint): bigint {
    const kept = BPS - BigInt(this.#settings.feeBps);
    return (
      (amount * from.usdE4 * kept * 10n ** BigInt(to.decimals)) /
      (10n ** BigInt(from.decimals) * to.usdE4 * BPS)
    );
  }

  /** Least amount of a token that is carried. */
  minimumOf({ decimals, usdE4 }: SolverAsset): bigint {
    const units =
      BigInt(this.#settings.minimumUsdCents) * USD_E4_PER_CENT * 10n ** BigInt(decimals);
    return (units + usdE4 - 1n) / usdE4;
  }

  /** Opens a transfer with a deposit address of its own. */
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

  /** A transfer as it is now. */
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
