import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { StoreSchema } from './schema.js';

/** Stands in a query for a value that comes when it is run. */
class Slot {
  constructor(readonly name: string) {}
}

/**
 * A query that is built and compiled once for each database, and then run with other values: for
 * the statements that every withdrawal runs by the dozen. To build their text each time took a
 * third of the ledger's time.
 */
export class Statement<Values extends object, Row> {
  /** One opened store has one adapter, which its transactions share. */
  readonly #compiled = new WeakMap<object, CompiledQuery<Row>>();

  /**
   * @param build is given something that stands for each of the values, and may do nothing with it
   *   but put it into the query
   */
  constructor(
    private readonly build: (db: Kysely<StoreSchema>, values: Values) => Compilable<Row>,
  ) {}

  /** @param values always with the same names */
  run(db: Kysely<StoreSchema>, values: Values): Promise<QueryResult<Row>> {
    const { adapter } = db.getExecutor();
    let compiled = this.#compiled.get(adapter);
    if (compiled === undefined) {
      compiled = this.build(db, slotsOf(values)).compile();
      this.#compiled.set(adapter, compiled);
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
 * What statements of one transaction answer that are asked for in one turn, in this order; or the
 * first failure, once none of them is under way any more: one that comes after the rollback would
 * be in no transaction.
 */
export async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function slotsOf<Values extends object>(values: Values): Values {
  // CAST: a query builder carries what it is given to the list of parameters as it is, where `run`
  // puts the value in its place.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values;
}
