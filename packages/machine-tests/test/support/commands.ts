import type { Felt } from '@sotto/kernel';
import * as fc from 'fast-check';
import { KEYS, type Machine } from './machine.js';
import type { SendFault } from './sandbox-node.js';
import { FLOOR_FRI, LANES } from './test-chain.js';

/** The checked model judges rows and chain as they are, so that no state has to be kept beside them. */
type NoModel = Record<string, never>;
export type MachineCommand = fc.AsyncCommand<NoModel, Machine>;

/** One thing that happens; afterwards everything has come to rest, and every property holds. */
class Happening implements MachineCommand {
  constructor(
    private readonly what: string,
    private readonly happen: (machine: Machine) => Promise<void> | void,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_model: NoModel, machine: Machine): Promise<void> {
    await this.happen(machine);
    await machine.wait(0);
    const bad = machine.broken();
    if (bad.length > 0) throw new Error(bad.join('; '));
  }

  toString(): string {
    return this.what;
  }
}

const of = (what: string, happen: (machine: Machine) => Promise<void> | void): fc.Arbitrary<MachineCommand> =>
  fc.constant(new Happening(what, happen));

const nothing = of('nothing', () => undefined);
const requests = fc.constantFrom(...KEYS).map((key) => new Happening(`request ${key}`, (machine) => machine.request(key)));
const passing = (ms: number): Happening => new Happening(`${ms} ms pass`, (machine) => machine.wait(ms));
const time = fc.constantFrom(500, 2_000, 5_000, 10_000).map(passing);
const longTime = fc.constantFrom(16_000, 61_000, 301_000, 601_000).map(passing);
const sendFaults = fc
  .constantFrom<SendFault>(
    'request lost',
    'answer lost',
    'answer late',
    'refused',
    'refused late',
    'refused for its price',
    'refused for funds',
  )
  .map((fault) => new Happening(`next send: ${fault}`, (machine) => void machine.node.sendFaults.push(fault)));
const crashes = fc.nat(12).map((calls) => new Happening(`crash after ${calls} calls`, (machine) => machine.crash(calls)));
const late = fc.nat(30).map(
  (index) =>
    new Happening(`sent bytes ${index} arrive late`, (machine) => {
      const hash = picked([...machine.node.mayLand.keys()], index);
      if (hash !== null) machine.node.arriveLate(hash);
    }),
);
const evictions = fc.nat(5).map(
  (index) =>
    new Happening(`waiting transaction ${index} is dropped`, ({ world: { chain } }) => {
      const transaction = picked(chain.pool.all(), index);
      if (transaction !== null) chain.pool.remove(transaction.hash);
    }),
);
const reorgs = fc
  .constantFrom('return-to-pool' as const, 'vanish' as const)
  .map((fate) => new Happening(`the pre-confirmed block is undone: ${fate}`, ({ world: { chain } }) => chain.undoOpenBlock(fate)));
const prices = fc
  .constantFrom(FLOOR_FRI, FLOOR_FRI, 30_000_000_000n, 45_000_000_000n, 90_000_000_000n)
  .map((l2Gas) => new Happening(`L2 gas costs ${l2Gas}`, ({ world: { chain } }) => chain.setPrices({ l2Gas })));
const strangers = fc
  .constantFrom(...LANES)
  .map((lane: Felt) => new Happening(`a stranger uses ${lane}`, (machine) => machine.stranger(lane)));
const lags = fc
  .constantFrom(1, 2)
  .map((blocks) => new Happening(`the node lags by ${blocks}`, (machine) => void (machine.node.blocksBehind = blocks)));
/** Anything that may happen, in any order. The first one is what others shrink to. */
export const happenings: fc.Arbitrary<MachineCommand> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: nothing },
  { weight: 30, arbitrary: requests },
  { weight: 16, arbitrary: time },
  { weight: 4, arbitrary: longTime },
  { weight: 10, arbitrary: sendFaults },
  { weight: 4, arbitrary: of('late answers come', (machine) => machine.node.letAnswersCome()) },
  { weight: 5, arbitrary: crashes },
  { weight: 6, arbitrary: late },
  { weight: 4, arbitrary: evictions },
  { weight: 4, arbitrary: reorgs },
  { weight: 5, arbitrary: prices },
  { weight: 4, arbitrary: strangers },
  { weight: 2, arbitrary: lags },
  { weight: 3, arbitrary: of('the node knows all again', (machine) => void (machine.node.blocksBehind = 0)) },
  { weight: 1, arbitrary: of('the node is down', (machine) => void (machine.node.isDown = true)) },
  { weight: 4, arbitrary: of('the node is up', (machine) => void (machine.node.isDown = false)) },
  { weight: 3, arbitrary: of('a process stands still, another waits for its lanes', (machine) => machine.stall()) },
  { weight: 4, arbitrary: of('those who stood still go on', (machine) => machine.goOn()) },
  { weight: 3, arbitrary: of('the next execution reverts', ({ world: { chain } }) => chain.forceRevert({ reason: 'made to revert' })) },
  { weight: 8, arbitrary: of('pre-confirmed', (machine) => machine.preConfirm()) },
  { weight: 8, arbitrary: of('a block', (machine) => machine.mine()) },
  { weight: 1, arbitrary: of('no longer wanted', (machine) => machine.want(false)) },
  { weight: 2, arbitrary: of('wanted again', (machine) => machine.want(true)) },
);

function picked<Item>(list: readonly Item[], index: number): Item | null {
  return list[index % Math.max(list.length, 1)] ?? null;
}
