import type { CommandResult, SubmissionCommand } from '@sotto/submission-core';
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';

/**
 * Maximum number of times that a command is run. If concurrent writers insert the same row, all but
 * one of them must read and decide again. A command that loses more often than this indicates an
 * error.
 */
const MAX_RUNS = 5;
/**
 * Maximum number of commands per transaction. On SQLite, the commands of a transaction block the
 * event loop.
 */
const MAX_COMMANDS = 8;

/** Reads the rows that a command depends on, decides, and writes, within the given transaction. */
type RunCommand = (db: Kysely<StoreSchema>, command: SubmissionCommand) => Promise<CommandResult>;

interface Waiting {
  readonly command: SubmissionCommand;
  readonly resolve: (result: CommandResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * State of one group of commands: the commands that wait for the next transaction, and the running
 * transaction.
 */
interface Groups {
  forming: Waiting[];
  running: Promise<void> | null;
}

/**
 * Combines commands that would otherwise wait for each other into one transaction. These are
 * commands that arrive in the same tick, or while previous commands are being synced to disk. Each
 * command reads its rows after the previous command has written.
 *
 * If a command fails, the transaction is rolled back, and no command of the transaction resolves
 * before that. Each of these commands then runs again in its own transaction.
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

  /** Resolves when all commands submitted before this call have settled. */
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
        // Read the queue only now, to include commands that arrived while this group waited for the
        // transaction.
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
      // The transaction did not begin, so no command was removed from the queue. All waiting
      // commands fail.
      if (group.length === 0) group = groups.forming.splice(0);
      await this.#afterFailure(group, error, isBegun);
    }
  }

  /**
   * @param isBegun true if a command failed; false if the start or the end of the transaction
   *   failed
   */
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
