import { afterEach } from '@jest/globals';
import { Felts, silentLogger, toFelt, type LogFields, type Logger } from '@sotto/kernel';
import type { SubmissionSettings } from '../../src/index.js';
import type { FakeChain } from '../../src/testing/index.js';
import { gate } from '../support/gate.js';
import { LANE, settings, World } from '../unit/world.js';

export const SECOND = toFelt('0x2a4e');
export const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
export const REFUSED = {
  answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
  arrives: false,
} as const;

/** Returns calldata that differs for each felt, so that no two calls have the same hash. */
export const call = (felt: bigint) => ({ calldata: Felts.of([felt]) });

/**
 * Processes of one test. Each process is a `World`. After a process is added, the test continues
 * with this process.
 */
export class Story {
  world = new World();
  readonly #worlds: World[] = [];

  /** Creates a `Story` for a test file. After each test, its processes are stopped. */
  static forEachTest(): Story {
    const story = new Story();
    afterEach(() => story.stopAll());
    return story;
  }

  /** Adds a process without starting it. */
  add(...given: ConstructorParameters<typeof World>): World {
    this.world = new World(...given);
    this.#worlds.push(this.world);
    return this.world;
  }

  async start(...given: ConstructorParameters<typeof World>): Promise<World> {
    const world = this.add(...given);
    await world.engine.start();
    return world;
  }

  /** Advances the time while the chain includes all waiting transactions. */
  async goOn(rounds: number, ms = 2_500): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      this.world.chain.includeAll();
      await this.world.round(ms);
    }
  }

  async stopAll(): Promise<void> {
    for (const world of this.#worlds.splice(0)) {
      const stopped = world.engine.stop();
      // A poll that is still running may end only by its timeout.
      await world.round(settings.lookTimeoutMs);
      await stopped;
    }
  }
}

/**
 * Delays the node's transaction statuses until the gate is opened; all other reads resolve at once.
 */
export function slowStatuses(chain: FakeChain): ReturnType<typeof gate> {
  const answer = gate();
  const sightings = chain.transactionStatuses.bind(chain);
  chain.transactionStatuses = async (hashes) => {
    await answer.opened;
    return sightings(hashes);
  };
  return answer;
}

/** Counts the included calls of a key, sent by any ledger. */
export async function countPaid({ chain, requested }: World, key: string): Promise<number> {
  const wanted = requested.find((one) => one.key === key);
  if (wanted === undefined) throw new Error('never requested');
  const { sent } = await chain.transactions([LANE, SECOND], 0, (await chain.head([])).blockNumber);
  return sent.filter(({ calls }) => calls?.[0]?.calldata.equals(wanted.calldata) === true).length;
}

export function recording(): {
  logger: Logger;
  errors: () => string[];
  fieldsOf: (message: string) => LogFields[];
} {
  const said: { readonly fields: LogFields; readonly message: string }[] = [];
  const error = (fields: LogFields, message: string): void => void said.push({ fields, message });
  return {
    logger: { ...silentLogger, error },
    errors: () => said.map(({ message }) => message),
    fieldsOf: (message) =>
      said.filter((one) => one.message === message).map(({ fields }) => fields),
  };
}
