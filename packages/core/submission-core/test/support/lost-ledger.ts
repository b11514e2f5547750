import { Felts } from '@sotto/kernel';
import type { Lane, SubmissionSettings } from '../../src/index.js';
import { InMemoryLedger, type FakeExecution } from '../../src/testing/index.js';
import { flush, LANE, submission, World, type Wanted } from '../unit/world.js';

export const wanted = (felt: bigint, change: Partial<Wanted> = {}): Wanted =>
  submission({ key: `key ${felt}`, calldata: Felts.of([felt]), ...change });

/** Engine whose ledger is lost. The chain and the clock continue. */
export class LostLedger {
  #world: World | null = null;
  readonly #worlds: World[] = [];

  /** Engine that is in use now. */
  get world(): World {
    if (this.#world === null) throw new Error('no engine was started');
    return this.#world;
  }

  /** Sets the engine that is used from now on. The caller has to start it. */
  use(world: World): World {
    this.#world = world;
    this.#worlds.push(world);
    return world;
  }

  async start(change: Partial<SubmissionSettings> = {}): Promise<void> {
    await this.use(new World(change)).engine.start();
  }

  /**
   * Loses the ledger and replaces it by an empty ledger or by the given ledger. Calls of the lane
   * that were sent with the lost ledger are on chain, and the domain recognises them.
   */
  async lose(change: Partial<SubmissionSettings> = {}, ledger?: InMemoryLedger): Promise<void> {
    const before = this.world;
    await before.engine.stop();
    const { clock, chain } = before;
    const ports = { clock, chain, ledger: ledger ?? new InMemoryLedger({ clock }) };
    const world = this.use(new World({ acceptance: null, ...change }, ports));
    world.requested.push(...before.requested);
    await world.engine.start();
  }

  async pay(felt: bigint, how: FakeExecution = {}): Promise<void> {
    await this.world.submit(wanted(felt));
    await flush();
    this.world.chain.includeAll(how);
    await this.world.round();
  }

  async rounds(count: number, ms = 11_000): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      this.world.chain.includeAll();
      this.world.chain.mine();
      await this.world.round(ms);
    }
  }

  async lane(address = LANE): Promise<Lane | undefined> {
    const { lanes } = await this.world.ledger.state();
    return lanes.find((row) => row.address === address);
  }

  get adopted(): number {
    return this.world.reached.filter((name) => name === 'adopted').length;
  }

  async stop(): Promise<void> {
    for (const world of this.#worlds) await world.engine.stop();
  }
}
