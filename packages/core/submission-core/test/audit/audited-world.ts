import { silentLogger, toFelt, type Felt, type LogFields, type Logger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { Auditor, DEFAULT_AUDIT_SETTINGS, type AuditSettings } from '../../src/audit/auditor.js';
import { EvidenceReader, type Evidence, type EvidenceSources } from '../../src/audit/evidence.js';
import { findingsOf, type Finding } from '../../src/audit/findings.js';
import type { SignedTransaction } from '../../src/domain/events.js';
import type { Attempt, ExecutionStatus } from '../../src/domain/rows.js';
import type { ResourceBounds } from '../../src/domain/resource-bounds.js';
import type { NewSubmission } from '../../src/domain/events.js';
import { FakeChain } from '../../src/testing/fake-chain.js';
import { FakeSigner } from '../../src/testing/fake-signer.js';
import { InMemoryAuditStore } from '../../src/testing/in-memory-audit-store.js';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger.js';
import { LedgerDriver, aSubmission, written } from '../../src/testing/ledger-driver.js';
import type { CommandResult } from '../../src/ports/ledger.port.js';

export const LANES: readonly [Felt, Felt] = [toFelt('0x1a4e'), toFelt('0x1a4f')];
export const [LANE, OTHER_LANE] = LANES;

/**
 * Audit settings for tests: blocks are read up to the head, and second reads follow after a minute.
 */
export const SETTINGS: AuditSettings = {
  ...DEFAULT_AUDIT_SETTINGS,
  accounts: [],
  depth: 0,
  start: { block: 0 },
};

export interface LoggedLine {
  readonly level: 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/**
 * Ledger that the real machine writes, and the chain of its transactions. A test changes ledger and
 * chain separately.
 */
export class AuditedWorld {
  readonly clock = new ManualClock();
  readonly chain = new FakeChain();
  readonly ledger = new InMemoryLedger({ clock: this.clock });
  readonly store = new InMemoryAuditStore(this.ledger);
  readonly logged: LoggedLine[] = [];
  readonly #signer = new FakeSigner();
  readonly #drivers = new Map<Felt, LedgerDriver>();

  static async start(): Promise<AuditedWorld> {
    const world = new AuditedWorld();
    const { chainId } = await world.chain.head([]);
    const genesisHash = await world.chain.blockHash(0);
    if (genesisHash === null) throw new Error('block 0 is missing');
    await world.ledger.bindChain({ chainId, genesisHash });
    for (const lane of LANES) {
      const driver = new LedgerDriver(world.ledger, lane);
      await driver.lease();
      await driver.introduce(0n);
      world.#drivers.set(lane, driver);
    }
    return world;
  }

  on(lane: Felt = LANE): LedgerDriver {
    const driver = this.#drivers.get(lane);
    if (driver === undefined) throw new Error('no such lane');
    return driver;
  }

  async nextNonce(lane: Felt): Promise<bigint> {
    return (await this.chain.head([lane])).accounts.get(lane)?.nonce ?? 0n;
  }

  /**
   * Accepts an attempt, stores its transaction under the account's next nonce and sends it.
   * @param attempt waiting attempt.
   * @default a new attempt of this name
   */
  async send(
    name: string,
    { lane = LANE, nonce, attempt }: { lane?: Felt; nonce?: bigint; attempt?: Attempt } = {},
  ) {
    const place = nonce ?? (await this.nextNonce(lane));
    const waiting = attempt ?? (await this.on(lane).accepted(name));
    const transaction = await this.sign(lane, place, aSubmission(name));
    const stored = written(
      await this.on(lane).store(waiting, place, transaction, { nonceLimit: place + 20n }),
    );
    await this.chain.send(transaction.bytes);
    return { attempt: stored, transaction, lane, nonce: place };
  }

  async sign(
    lane: Felt,
    nonce: bigint,
    call: NewSubmission | null,
    step = 0,
  ): Promise<SignedTransaction> {
    const request = {
      account: lane,
      nonce,
      bounds: priced(24_000_000_000n + BigInt(step) * 10_000_000_000n),
    };
    if (call === null) return this.#signer.signNoop(request);
    return this.#signer.signCall(await this.#signer.hashCall(call.target, call.calldata), request);
  }

  /** Settles the nonce in the ledger with the transaction that consumed it on chain. */
  async settle(lane: Felt, nonce: bigint): Promise<CommandResult> {
    const hash = await this.chain.consumerOf(lane, nonce);
    const shown = hash === null ? null : await this.chain.transaction(hash, LANES);
    if (shown === null) throw new Error('the chain has not consumed the nonce');
    return this.on(lane).settle(nonce, shown.consumer);
  }

  /** Sends, includes and settles a transaction of a submission. */
  async pay(
    name: string,
    { lane = LANE, execution = 'SUCCEEDED' }: { lane?: Felt; execution?: ExecutionStatus } = {},
  ) {
    const sent = await this.send(name, { lane });
    this.chain.include(sent.transaction.hash, { execution });
    const attempt = written(await this.settle(lane, sent.nonce));
    return { ...sent, attempt };
  }

  /** Includes a foreign transaction, and settles its nonce as foreign. */
  async foreign(lane: Felt = LANE): Promise<Felt> {
    const nonce = await this.nextNonce(lane);
    const hash = this.chain.includeForeign(lane, { calls: [] });
    await this.on(lane).import(nonce);
    await this.settle(lane, nonce);
    return hash;
  }

  /** Returns the evidence of the chain and of the ledger. */
  async evidence(calls: EvidenceSources['calls'] = null): Promise<Evidence> {
    const reader = new EvidenceReader(
      { history: this.chain, reader: this.chain, store: this.store, ledger: this.ledger, calls },
      SETTINGS,
    );
    const at = await reader.head();
    const keys = [...this.ledger.rows.attempts.values()].map(({ key }) => key);
    return reader.gather(at, { blocks: { from: 0, to: at.deepBlock }, keys });
  }

  async findings(calls: EvidenceSources['calls'] = null): Promise<readonly Finding[]> {
    const { chain, ledger } = await this.evidence(calls);
    return findingsOf(chain, ledger);
  }

  /** Overwrites a row, to simulate an error of the machine or of the store. */
  corrupt(attempt: Pick<Attempt, 'id'>, change: Partial<Attempt>): void {
    for (const [name, row] of this.ledger.rows.attempts) {
      if (row.id === attempt.id) this.ledger.rows.attempts.set(name, { ...row, ...change });
    }
  }

  /**
   * Makes the ledger report a chain with this first block. Null means that the ledger is not bound
   * to a chain yet.
   */
  ledgerMeets(genesisHash: Felt | null): void {
    const honest = this.ledger.state.bind(this.ledger);
    this.ledger.state = async () => {
      const state = await honest();
      return {
        ...state,
        chain:
          state.chain === null || genesisHash === null ? null : { ...state.chain, genesisHash },
      };
    };
  }

  auditor(change: Partial<AuditSettings> = {}): Auditor {
    const { chain, store, ledger, clock, logged } = this;
    const logger: Logger = {
      ...silentLogger,
      warn: (fields, message) => void logged.push({ level: 'warn', fields, message }),
      error: (fields, message) => void logged.push({ level: 'error', fields, message }),
    };
    return new Auditor(
      { history: chain, reader: chain, store, ledger, calls: null, clock, logger },
      { ...SETTINGS, ...change },
    );
  }

  async pausedFor(lane: Felt): Promise<string | null | undefined> {
    return (await this.ledger.state()).lanes.find(({ address }) => address === lane)?.pausedFor;
  }
}

function priced(maxPriceFri: bigint): ResourceBounds {
  return {
    l2Gas: { maxAmount: 1_000n, maxPriceFri },
    l1Gas: { maxAmount: 1n, maxPriceFri: 1n },
    l1DataGas: { maxAmount: 1n, maxPriceFri: 1n },
    tipFri: 0n,
  };
}
