import { systemClock } from '@sotto/kernel';
import type { ChainNode, ContractCall } from '../node/chain-node.js';
import type { Artefact, Sender } from '../node/sender.js';
import { deployCall } from './deploy-call.js';
import type { Plan, PlannedContract, SetUp } from './plan.js';

/**
 * Maximum number of calls per transaction, far below the sequencer's limits on gas (about 2 M for a
 * deployment) and on felts.
 */
const CALLS_PER_TRANSACTION = 60;

/**
 * Sends transactions of one account. Each transaction is sent after the previous transaction has
 * succeeded.
 */
class Transactions<Class extends Artefact> {
  #count = 0;
  #next: bigint | undefined;

  constructor(
    private readonly node: ChainNode,
    private readonly sender: Sender<Class>,
  ) {}

  /** Number of transactions sent so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Declares a class. @throws Error if the node fails, or the transaction is rejected or reverts
   */
  async declare(artefact: Class): Promise<void> {
    await this.#run((nonce) => this.sender.declare(artefact, nonce));
  }

  /** Sends the calls in as few transactions as possible. @throws Error like {@link declare} */
  async invoke(calls: readonly ContractCall[]): Promise<void> {
    for (let start = 0; start < calls.length; start += CALLS_PER_TRANSACTION) {
      await this.#run((nonce) =>
        this.sender.invoke(calls.slice(start, start + CALLS_PER_TRANSACTION), nonce),
      );
    }
  }

  async #run(send: (nonce: bigint) => Promise<string>): Promise<void> {
    const nonce = this.#next ?? (await this.node.nonce(this.sender.address));
    await this.node.included(await send(nonce));
    this.#next = nonce + 1n;
    this.#count += 1;
  }
}

/** Node and accounts with which a plan is carried out. */
export interface Crew<Class extends Artefact> {
  readonly node: ChainNode;
  readonly deployer: Sender<Class>;
  /**
   * Returns the account with this address as a sender, for a set-up that another account than the
   * deployer must send. The account must be deployed already.
   */
  readonly senderAt: (address: bigint) => Sender<Class>;
  /** Function that receives progress lines for the user. */
  readonly report: (line: string) => void;
}

/** Work that was done to carry out a plan. */
export interface Accomplished {
  /** Names of the declared classes. */
  readonly declared: readonly string[];
  /** Names of the deployed contracts. */
  readonly deployed: readonly string[];
  /** Names of the set-ups that were run. */
  readonly setUp: readonly string[];
  readonly transactions: number;
  readonly declareMs: number;
  /** Duration of deployments and set-ups, in ms. */
  readonly deployMs: number;
}

/**
 * Sends only the missing parts of a plan: declarations one by one, then deployments and set-ups in
 * as few transactions as possible. After a failure, the call can be repeated.
 * @throws Error if the node fails, or a transaction is rejected or reverts
 */
export async function carryOut<Class extends Artefact>(
  plan: Plan<Class>,
  { node, deployer, senderAt, report }: Crew<Class>,
): Promise<Accomplished> {
  const startedMs = systemClock.monotonicMs();
  const contracts = await missingContracts(plan, node);
  const classes = await missingClasses(contracts, plan.libraries ?? [], node);
  const transactions = new Transactions(node, deployer);
  for (const [index, artefact] of classes.entries()) {
    report(`declaring ${artefact.name} (${index + 1} of ${classes.length})`);
    await transactions.declare(artefact);
  }
  const declaredMs = systemClock.monotonicMs();

  const setUps = await missingSetUps(plan, node);
  if (contracts.length + setUps.length === 0) report('everything is in its place: nothing to send');
  else report(`deploying ${contracts.length} contracts and setting up ${setUps.length} things`);
  await transactions.invoke([...contracts.map(deployCall), ...callsBy(undefined, setUps)]);
  const others = [...new Set(setUps.map(({ by }) => by))].flatMap((by) =>
    by === undefined ? [] : [senderAt(by)],
  );
  let transactionsOfOthers = 0;
  for (const other of others) {
    const own = new Transactions(node, other);
    await own.invoke(callsBy(other.address, setUps));
    transactionsOfOthers += own.count;
  }
  return {
    declared: classes.map(({ name }) => name),
    deployed: contracts.map(({ name }) => name),
    setUp: setUps.map(({ name }) => name),
    transactions: transactions.count + transactionsOfOthers,
    declareMs: declaredMs - startedMs,
    deployMs: systemClock.monotonicMs() - declaredMs,
  };
}

async function missingContracts<Class extends Artefact>(
  { contracts }: Plan<Class>,
  node: ChainNode,
): Promise<PlannedContract<Class>[]> {
  const found = await node.classHashesAt(contracts.map(({ address }) => address));
  return contracts.filter((_, index) => found[index] === undefined);
}

/**
 * Returns the undeclared classes of libraries and of missing contracts. Only these classes are
 * queried, because reading a class transfers its whole code. The class of an existing contract is
 * known to be declared.
 */
async function missingClasses<Class extends Artefact>(
  contracts: readonly PlannedContract<Class>[],
  libraries: readonly Class[],
  node: ChainNode,
): Promise<Class[]> {
  const wanted = new Map(libraries.map((library) => [BigInt(library.classHash), library]));
  for (const { contractClass } of contracts)
    if ('name' in contractClass) wanted.set(BigInt(contractClass.classHash), contractClass);
  const missing: Class[] = [];
  for (const [classHash, artefact] of wanted)
    if (!(await node.isDeclared(classHash))) missing.push(artefact);
  return missing;
}

async function missingSetUps({ setUps }: Plan<Artefact>, node: ChainNode): Promise<SetUp[]> {
  const returned = await node.views(setUps.map(({ view }) => view));
  return setUps.filter(({ isDone }, index) => {
    const felts = returned[index];
    return felts === undefined || !isDone(felts);
  });
}

function callsBy(account: bigint | undefined, setUps: readonly SetUp[]): SetUp['calls'] {
  return setUps.filter(({ by }) => by === account).flatMap(({ calls }) => calls);
}
