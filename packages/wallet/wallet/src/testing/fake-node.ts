import { WalletError } from '../errors.js';
import { feltOf, toHex } from '../fields.js';
import type {
  BlockHeader,
  ChainEvent,
  EventQuery,
  NodeReader,
  NonceQuery,
  ViewCall,
} from '../node/node-reader.js';

/** Event as a contract emits it. The fake chain adds block and transaction. */
export interface EmittedEvent {
  /** Contract address as 0x hex. */
  readonly contract: string;
  readonly name: string;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/**
 * Function that computes the result of a view function from the events of its contract up to the
 * requested block.
 */
export type FakeView = (
  events: readonly ChainEvent[],
  calldata: readonly bigint[],
) => readonly bigint[];

interface FakeBlock {
  readonly header: BlockHeader;
  readonly events: readonly { readonly contract: string; readonly event: ChainEvent }[];
  /** Accounts that sent a transaction of the block. */
  readonly senders: readonly string[];
}

const EVENTS_PER_PAGE = 2;
/** Time of the first block, as Unix time in seconds. Fake contracts emit it in their events. */
export const FIRST_TIMESTAMP = 1_700_000_000;
const BLOCK_SECONDS = 10;

/** Fake node whose chain a test builds block by block. */
export class FakeNode implements NodeReader {
  /** All received requests, as `method argument`. */
  readonly questions: string[] = [];
  /** Returns true for events that the node omits. @default none */
  isMissing: (event: ChainEvent) => boolean = () => false;
  /** Runs before each response, to simulate concurrent changes. */
  beforeAnswer: (question: string) => void | Promise<void> = () => {};
  readonly #chainId: string;
  readonly #views = new Map<string, Readonly<Record<string, FakeView>>>();
  #blocks: FakeBlock[] = [];
  #made = 0;
  #isDown = false;

  constructor(chainId = '0x534e5f5345504f4c4941') {
    this.#chainId = chainId;
    this.mine();
  }

  /** Registers the view functions of a contract, by name. */
  deploy(contract: string, views: Readonly<Record<string, FakeView>>): void {
    this.#views.set(addressOf(contract), views);
  }

  /**
   * Mines a block with these events, each in a separate transaction, and with one transaction of
   * each sender.
   */
  mine(events: readonly EmittedEvent[] = [], senders: readonly string[] = []): BlockHeader {
    const number = this.#blocks.length;
    const parentHash = this.#blocks.at(-1)?.header.hash ?? '0x0';
    const timestamp = FIRST_TIMESTAMP + BLOCK_SECONDS * number;
    const header = { number, hash: this.#newHash(), parentHash, timestamp };
    this.#blocks.push({
      header,
      events: events.map(({ contract, name, keys, data }) => ({
        contract: addressOf(contract),
        event: { name, blockNumber: number, transactionHash: this.#newHash(), keys, data },
      })),
      senders: senders.map(addressOf),
    });
    return header;
  }

  /** Rolls back this number of the latest blocks. */
  rollback(blocks: number): void {
    this.#blocks = this.#blocks.slice(0, -blocks);
  }

  /** Makes the node unreachable, or reachable again if `isDown` is false. */
  breakDown(isDown = true): void {
    this.#isDown = isDown;
  }

  async chainId(signal?: AbortSignal): Promise<string> {
    await this.#asked('chainId', signal);
    return this.#chainId;
  }

  async block(at: 'latest' | number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    await this.#asked(`block ${at}`, signal);
    return this.#blocks.at(at === 'latest' ? -1 : at)?.header;
  }

  async call(
    { contract, entrypoint, calldata = [], blockHash }: ViewCall,
    signal?: AbortSignal,
  ): Promise<readonly bigint[]> {
    await this.#asked(`call ${entrypoint} ${calldata.map(toHex).join(' ')}`, signal);
    const upTo = this.#indexOf(blockHash);
    const view = this.#views.get(addressOf(contract))?.[entrypoint];
    if (view === undefined) throw new WalletError('NODE_REFUSED', 'there is no such view');
    return view(this.#eventsOf(contract, 0, upTo), calldata);
  }

  async nonce({ account, at }: NonceQuery, signal?: AbortSignal): Promise<bigint> {
    await this.#asked(`nonce ${account}`, signal);
    const upTo = this.#indexOf(at === 'pre_confirmed' ? undefined : at.blockHash);
    const senders = this.#blocks.slice(0, upTo + 1).flatMap((block) => block.senders);
    return BigInt(senders.filter((sender) => sender === addressOf(account)).length);
  }

  async *events(
    { contract, names, fromBlock, toBlock }: EventQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly ChainEvent[], void, void> {
    for (let given = 0; ; given += EVENTS_PER_PAGE) {
      await this.#asked(`events ${fromBlock} ${toBlock} ${names.join(' ')}`, signal);
      const events = this.#eventsOf(contract, fromBlock, toBlock)
        .filter(({ name }) => names.includes(name))
        .filter((event) => !this.isMissing(event));
      yield events.slice(given, given + EVENTS_PER_PAGE);
      if (given + EVENTS_PER_PAGE >= events.length) return;
    }
  }

  /** Returns the index of the block with this hash; without a hash, of the latest block. */
  #indexOf(hash = this.#blocks.at(-1)?.header.hash): number {
    const index = this.#blocks.findIndex(({ header }) => header.hash === hash);
    if (index === -1) throw new WalletError('BLOCK_UNKNOWN', 'the chain has no such block');
    return index;
  }

  #eventsOf(contract: string, fromBlock: number, toBlock: number): readonly ChainEvent[] {
    return this.#blocks
      .slice(fromBlock, toBlock + 1)
      .flatMap(({ events }) => events)
      .filter((emitted) => emitted.contract === addressOf(contract))
      .map(({ event }) => event);
  }

  async #asked(question: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.questions.push(question.trim());
    await this.beforeAnswer(question);
    signal?.throwIfAborted();
    if (this.#isDown) throw new WalletError('NODE_UNREACHABLE', 'the node does not answer');
  }

  #newHash(): string {
    this.#made += 1;
    return toHex(0xb10c0000n + BigInt(this.#made));
  }
}

function addressOf(contract: string): string {
  return toHex(feltOf(contract, 'the contract'));
}
