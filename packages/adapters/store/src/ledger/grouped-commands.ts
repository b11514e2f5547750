import type { CommandResult, SubmissionCommand } from '@sotto/submission-core';
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';

/**
 * Where writers run side by side, the loser of an insert reads again; more losses in a row than
 * this are no accident.
 */
const MAX_RUNS = 5;
/** Of one transaction: on SQLite, the event loop stands still while they run. */
const MAX_COMMANDS = 8;

/** Reads what a command depends on, decides, and writes, in the transaction that it is given. */
type RunCommand = (db: Kysely<StoreSchema>, command: SubmissionCommand) => Promise<CommandResult>;

interface Waiting {
  readonly command: SubmissionCommand;
  readonly resolve: (result: CommandResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Commands that go into one transaction, and what else came of its name. */
interface Groups {
  forming: Waiting[];
  running: Promise<void> | null;
}

/**
 * Commands that would wait for each other anyway share a transaction: those that come in one turn
 * of the loop, or while the ones before them are brought to disk. Each is judged on rows that it
 * reads after the one before it has written.
 *
 * A command that fails takes no other with it: all is rolled back, before any of them was answered,
 * and each runs again in a transaction of its own.
 */
export class GroupedCommands {
  readonly #groups = new Map<string, Groups>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: Pick<SqlDialect, 'write' | 'lostRace' | 'groupOf'>,
    private readonly run: RunCommand,
  ) {}

  async apply(command: SubmissionCommand): Promise<CommandResult> {
    const name = this.dialect.groupOf(command);
    const result =
      name === null ? this.#alone(command) : this.#gathered(this.#groupsOf(name), command);
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
    }
  }

  /** Resolves when all that came before this call has been answered. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #groupsOf(name: string): Groups {
    const known = this.#groups.get(name) ?? { forming: [], running: null };
    this.#groups.set(name, known);
    return known;
  }

  #gathered(groups: Groups, command: SubmissionCommand): Promise<CommandResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
    groups.forming.push({ command, resolve, reject });
    groups.running ??= this.#runAll(groups);
    return promise;
  }

  async #runAll(groups: Groups): Promise<void> {
    while (groups.forming.length > 0) {
      await nextTurn();
      await this.#runGroup(groups);
    }
    groups.running = null;
  }

  async #runGroup(groups: Groups): Promise<void> {
    let group: readonly Waiting[] = [];
    let isBegun = false;
    try {
      const results = await this.dialect.write(this.db, async (db) => {
        // What came while it waited for its turn belongs to it, too.
        group = groups.forming.splice(0, MAX_COMMANDS);
        isBegun = true;
        const found: CommandResult[] = [];
        for (const { command } of group) found.push(await this.run(db, command));
        isBegun = false;
        return found;
      });
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('a command of a group has no result'));
        else resolve(result);
      }
    } catch (error) {
      // It did not begin: nothing of it has been taken.
      if (group.length === 0) group = groups.forming.splice(0);
      await this.#afterFailure(group, error, isBegun);
    }
  }

  /** @param isBegun a command has failed, and not the beginning or the end of the transaction */
  async #afterFailure(group: readonly Waiting[], error: unknown, isBegun: boolean): Promise<void> {
    const isWorthIt = isBegun && (group.length > 1 || this.dialect.lostRace(error));
    await Promise.all(
      group.map(async ({ command, resolve, reject }) => {
        try {
          if (!isWorthIt) throw error;
          resolve(await this.#alone(command, group.length > 1 ? 1 : 2));
        } catch (cause) {
          reject(cause);
        }
      }),
    );
  }

  async #alone(command: SubmissionCommand, first = 1): Promise<CommandResult> {
    for (let run = first; ; run += 1) {
      try {
        return await this.dialect.write(this.db, (db) => this.run(db, command));
      } catch (error) {
        if (run === MAX_RUNS || !this.dialect.lostRace(error)) throw error;
      }
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
