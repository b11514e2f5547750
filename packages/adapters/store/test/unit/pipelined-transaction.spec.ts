import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
} from 'kysely';
import { pipelinedTransaction } from '../../src/postgres/pipelined-transaction.js';
import type { StoreSchema } from '../../src/schema.js';
import { together } from '../../src/statement.js';

/** Statement that was sent, with functions that resolve it or make it fail. */
interface Sent {
  readonly text: string;
  readonly answer: (command?: string) => void;
  readonly fail: (error: Error) => void;
}

let sent: Sent[];
let released: number;
let db: Kysely<StoreSchema>;

class ScriptedDriver extends DummyDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: ({ sql: text }) =>
        new Promise((resolve, reject) => {
          sent.push({
            text,
            answer: (command) =>
              // CAST: the statements of this test read nothing but a command's name.
              // oxlint-disable-next-line typescript/no-unsafe-type-assertion
              resolve({ rows: command === undefined ? [] : [{ command } as never] }),
            fail: reject,
          });
        }),
      streamQuery: () => {
        throw new Error('nothing is streamed');
      },
    };
  }

  override async releaseConnection(): Promise<void> {
    released += 1;
  }
}

beforeEach(() => {
  sent = [];
  released = 0;
  db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ScriptedDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
});

const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const texts = (): readonly string[] => sent.map(({ text }) => text);

async function twoAndOne(on: Kysely<StoreSchema>): Promise<string> {
  await together([sql`select 1`.execute(on), sql`select 2`.execute(on)]);
  await sql`select 3`.execute(on);
  return 'done';
}

describe('pipelinedTransaction', () => {
  it('pipelinedTransaction sends begin and all statements of one event loop tick without waiting for responses', async () => {
    const result = pipelinedTransaction(db, twoAndOne);
    await turn();
    expect(texts()).toEqual(['begin', 'select 1', 'select 2']);
    for (const { answer } of sent) answer();
    await turn();
    expect(texts().slice(3)).toEqual(['select 3']);
    sent[3]?.answer();
    await turn();
    expect([texts().at(-1), released]).toEqual(['commit', 0]);
    sent[4]?.answer('COMMIT');
    expect([await result, released]).toEqual(['done', 1]);
  });

  it('pipelinedTransaction rolls back after a failed statement and throws the first failure', async () => {
    const result = pipelinedTransaction(db, twoAndOne).catch((error: unknown) => error);
    await turn();
    const [begin, first, second] = sent;
    begin?.answer();
    first?.fail(new Error('unique_violation'));
    await turn();
    expect(texts()).toEqual(['begin', 'select 1', 'select 2']);
    second?.fail(new Error('in_failed_sql_transaction'));
    await turn();
    expect(texts().slice(3)).toEqual(['rollback']);
    sent[3]?.answer('ROLLBACK');
    expect(await result).toEqual(new Error('unique_violation'));
    expect(released).toBe(1);
  });

  it('pipelinedTransaction throws the cause of a failed transaction even if the rollback also fails', async () => {
    const unbegun = pipelinedTransaction(db, async () => 'nothing').catch(
      (error: unknown) => error,
    );
    await turn();
    sent[0]?.fail(new Error('gone'));
    await turn();
    sent[1]?.fail(new Error('gone, too'));
    expect(await unbegun).toEqual(new Error('gone'));
    sent = [];
    const undone = pipelinedTransaction(db, async () => 'nothing').catch((error: unknown) => error);
    await turn();
    sent[0]?.answer();
    await turn();
    sent[1]?.answer('ROLLBACK');
    await turn();
    sent[2]?.answer('ROLLBACK');
    expect(await undone).toBeInstanceOf(Error);
    expect(released).toBe(2);
  });
});
