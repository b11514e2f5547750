import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { StoreSchema } from './schema.js';

/** Placeholder in a compiled query for a value that is set when the query runs. */
class Slot {
  constructor(readonly name: string) {}
}

/**
 * Texts of all compiled statements with one plan. The source code limits the number of texts,
 * because no value is part of a text.
 */
const texts = new Set<string>();

/**
 * Returns true if the text belongs to a {@link Statement} with one plan, so that a database server
 * may keep this plan.
 */
export function isRepeated(text: string): boolean {
  return texts.has(text);
}

/**
 * Query that is built and compiled once per database, and then run with different values. Used for
 * statements that every withdrawal runs many times. If the text of these statements were built for
 * each run, the building would need a third of the ledger's time.
 */
export class Statement<Values extends object, Row> {
  /**
   * Compiled queries by adapter. Each opened store has one adapter, which its transactions share.
   */
  readonly #compiled = new WeakMap<object, CompiledQuery<Row>>();

  /**
   * @param build builds the query; receives a placeholder for each value and may only insert it
   *   into the query
   * @param plan `each` if the best plan depends on the values, for example on the start of a range
   * @default one
   */
  constructor(
    private readonly build: (db: Kysely<StoreSchema>, values: Values) => Compilable<Row>,
    private readonly plan: 'one' | 'each' = 'one',
  ) {}

  /** @param values values of the placeholders; every run must use the same names */
  run(db: Kysely<StoreSchema>, values: Values): Promise<QueryResult<Row>> {
    const { adapter } = db.getExecutor();
    let compiled = this.#compiled.get(adapter);
    if (compiled === undefined) {
      compiled = this.build(db, slotsOf(values)).compile();
      this.#compiled.set(adapter, compiled);
      if (this.plan === 'one') texts.add(compiled.sql);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? Reflect.get(values, value.name) : value,
    );
    return db.executeQuery({ ...compiled, parameters });
  }

  async all(db: Kysely<StoreSchema>, values: Values): Promise<Row[]> {
    return (await this.run(db, values)).rows;
  }

  async first(db: Kysely<StoreSchema>, values: Values): Promise<Row | undefined> {
    return (await this.run(db, values)).rows[0];
  }
}

/**
 * Resolves with the results of the given statements, in the order of `work`. The statements must
 * belong to one transaction and be issued in the same tick. If a statement fails, the call waits
 * until no statement is running and then rejects with the first failure. Without this wait, a
 * statement could be sent after the rollback and would be in no transaction.
 */
export async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function slotsOf<Values extends object>(values: Values): Values {
  // CAST: a query builder passes its arguments unchanged to the list of parameters, in which `run`
  // replaces them by the values.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values;
}
