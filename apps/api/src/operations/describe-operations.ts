import { Fault, type Felt } from '@sotto/kernel';
import type { ControlPools, FairSlots, GuardedPool, SlotCounts } from '@sotto/relayer-core';
import type { AccountState, ChainReader, EngineStatus, LaneRole, StuckNonce, SubmissionEngine } from '@sotto/submission-core';
import type { InFlight, InFlightCounts } from '../http/middleware/in-flight.js';

/** An account as its operator sees it. */
export interface OperatedLane {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly state: EngineStatus['lanes'][number]['state'];
  /** At ACCEPTED_ON_L2; null while the node does not tell. */
  readonly account: AccountState | null;
}

export interface Operations {
  readonly lanes: readonly OperatedLane[];
  /** When this instance read the chain last. */
  readonly lastLookMs: number | null;
  /** What an operator should look at. */
  readonly stuck: readonly StuckNonce[];
  readonly pools: readonly GuardedPool[];
  readonly load: { readonly admissions: SlotCounts; readonly requests: InFlightCounts };
}

/** Tells the operator how accounts, pools and this instance stand. */
export class DescribeOperations {
  constructor(
    private readonly engine: Pick<SubmissionEngine, 'status'>,
    private readonly reader: Pick<ChainReader, 'head'>,
    private readonly controls: Pick<ControlPools, 'list'>,
    private readonly slots: Pick<FairSlots, 'counts'>,
    private readonly inFlight: Pick<InFlight, 'counts'>,
  ) {}

  /** Rejects with the fault of the store; where the node does not answer, balances and nonces are null. */
  async execute(): Promise<Operations> {
    const { lanes, lastLookMs, stuck } = this.engine.status();
    const [accounts, pools] = await Promise.all([this.#accounts(lanes.map(({ address }) => address)), this.controls.list()]);
    return {
      lanes: lanes.map(({ address, role, state }) => ({ address, role, state, account: accounts.get(address) ?? null })),
      lastLookMs,
      stuck,
      pools,
      load: { admissions: this.slots.counts(), requests: this.inFlight.counts() },
    };
  }

  async #accounts(addresses: readonly Felt[]): Promise<ReadonlyMap<Felt, AccountState>> {
    try {
      return (await this.reader.head(addresses)).accounts;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return new Map();
    }
  }
}
