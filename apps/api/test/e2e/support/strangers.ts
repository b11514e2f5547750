import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { type Answer, eventually, type Variables, type WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import type { Note } from '@sotto/wallet/advanced';
import { addressText, commitmentsOf, forgedWithdrawalOf } from './notes.js';
import { Stack } from './stack.js';
import { vector } from './withdrawals.js';

const { accounts, swapPool, tokens } = sandboxWorld;
const TOKEN = 'token-of-the-operator';
export const FEE_SATS = 900n;

export type Caller = Readonly<Record<string, string>>;
/** Returns the headers of a caller with this address, as a trusted proxy sends them. */
export const at = (address: string): Caller => ({ 'x-forwarded-for': address });
export const HONEST = at('198.51.100.9');
/**
 * Returns a caller whose address is in one fixed /24 network. `host` is the last byte of the
 * address.
 */
export const neighbour = (host: number): Caller => at(`203.0.113.${host}`);
/**
 * Returns a caller whose IPv6 address is in one fixed /48 network. Each index gives an address in a
 * separate /56.
 */
export const rented = (index: number): Caller => at(`2001:db8:1:${(index * 256).toString(16)}::1`);

/** Returns the error code of a rejection, or the execution status. */
export const codeOf = ({ body }: Answer): unknown =>
  Object(body).code ?? Object(body).execution_status;
export const codesOf = (answers: readonly Answer[]): readonly unknown[] => answers.map(codeOf);
export const repeated = <T>(count: number, value: T): readonly T[] =>
  Array.from({ length: count }, () => value);

/** Number of outputs in the swap pool, 0.01 ETH each, as private swaps would have created them. */
const OUTPUTS = 24;
const OUTPUT_WEI = 10n ** 16n;
const OUTPUT_ROOT = 0x5077_0001n;
const FIRST_OUTPUT_NULLIFIER = 0xabc_def0n;
const KNOWN_ROOTS = 30;

/** Transactions that are included only after the test has changed the chain. */
interface HeldBack {
  readonly sender: SandboxAccount;
  /**
   * Returns the number of transactions in the mempool for which the test waits. The number falls if
   * requests are rejected.
   */
  readonly waiting: () => number;
  readonly send: () => readonly Promise<Answer>[];
  readonly change: () => void;
}

/**
 * One service for callers from several networks, with notes in pools and outputs in the swap pool.
 */
export class StrangersStage {
  #spentOutputs = 0;

  private constructor(readonly stack: Stack) {}

  /** Resolves when the service accepts withdrawals. */
  static async start(
    env: Variables,
    notes: readonly (readonly [SandboxPool, readonly Note[]])[],
  ): Promise<StrangersStage> {
    const stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        TRUST_PROXY: '1',
        METRICS_PORT: '0',
        ...env,
      },
      deposit: async (chain) => {
        for (const [pool, ofPool] of notes) await chain.depositInto(pool, commitmentsOf(ofPool));
      },
    });
    const stage = new StrangersStage(stack);
    stage.#fillSwapPool();
    await stack.service.ready();
    return stage;
  }

  /** Sets a value in a contract's storage. */
  set(address: bigint, key: string, value: bigint): void {
    this.stack.chain.control.setStorage(address, key, value);
  }

  /** Sets an account's ERC-20 allowance for a pool to 100 deposits, or to zero. */
  allow(owner: SandboxAccount, pool: SandboxPool, isAllowed: boolean): void {
    const key = `allowance:${owner.address.toString(16)}:${pool.address.toString(16)}`;
    this.set(pool.token, key, isAllowed ? 100n * pool.denomination : 0n);
  }

  /** Marks a note of the pool as spent, as another transaction would. */
  spend(pool: SandboxPool, note: Note): void {
    this.set(pool.address, `nullifier:${note.nullifierHash.toString(16)}`, 1n);
  }

  /** Sends requests while no block is created, and applies `change` before the next block. */
  async heldBack({ sender, waiting, send, change }: HeldBack): Promise<readonly Answer[]> {
    const { chain } = this.stack;
    chain.control.pause();
    // Start a new block. A pre-confirmed block that already contains transactions would keep its
    // gas prices, although the test changes them.
    chain.control.mine();
    const answers = send();
    await eventually(
      'the transactions to be sent',
      () => chain.waiting(sender).length === waiting(),
    );
    change();
    chain.control.resume();
    return Promise.all(answers);
  }

  withdraw(body: WithdrawalBody, headers: Caller): Promise<Answer> {
    return this.stack.service.withdraw(body, { headers });
  }

  /** Resolves when the submission of this answer has succeeded or reverted. */
  async settled(answer: Answer): Promise<void> {
    await eventually('the submission to end', async () => {
      const { body } = await this.stack.service.get(answer.headers.get('location') ?? '');
      return ['reverted', 'succeeded'].includes(Object(body).state);
    });
  }

  /** Returns the pool's row in the operator's status. */
  async poolStatus(key: string): Promise<object> {
    const as = { authorization: `Bearer ${TOKEN}` };
    const { body } = await this.stack.service.get('/api/operator/status', as);
    const listed: readonly { readonly key: string }[] = Object(body).pools;
    return Object(listed.find((pool) => pool.key === key));
  }

  /** Returns a withdrawal of the swap pool's next unspent output. */
  nextOutput(fee: bigint): WithdrawalBody {
    const leaf = BigInt(this.#spentOutputs++);
    const calldata = forgedCalldata({
      root: OUTPUT_ROOT,
      relayer: BigInt(vector.relayer),
      fee,
      batchStart: leaf,
      batchSize: 1n,
      nullifierHash: FIRST_OUTPUT_NULLIFIER + leaf,
      recipient: accounts.recipient3.address,
    });
    return { poolAddress: addressText(swapPool), calldata };
  }

  #fillSwapPool(): void {
    const { address } = swapPool;
    this.set(address, 'next_index', BigInt(OUTPUTS));
    this.set(address, `root:${OUTPUTS % KNOWN_ROOTS}`, OUTPUT_ROOT);
    this.set(address, 'active_deposits', BigInt(OUTPUTS));
    for (let leaf = 0; leaf < OUTPUTS; leaf += 1) {
      this.set(address, `leaf_token:${leaf}`, tokens.ETH.address);
      this.set(address, `leaf_amount:${leaf}`, OUTPUT_WEI);
    }
    const { control } = this.stack.chain;
    control.mint(address, OUTPUT_WEI * BigInt(OUTPUTS), tokens.ETH.address);
    control.mine();
  }
}

/** Returns a withdrawal of one of these notes. The pool contains no other notes. */
export const withdrawalFrom = (
  pool: SandboxPool,
  notes: readonly Note[],
  index: number,
  fee = FEE_SATS,
): WithdrawalBody => ({
  poolAddress: toFelt(pool.address),
  calldata: forgedWithdrawalOf({ notes, index, fee, recipient: accounts.recipient2.address }),
});
