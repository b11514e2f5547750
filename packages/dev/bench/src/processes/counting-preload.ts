import { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
} from 'node:worker_threads';
import { Client } from 'pg';
import { SQL_KINDS, kindOf } from '../measure/sql-kind.js';

/**
 * Preloaded into a process to count statements. Wraps the drivers of both databases in every thread
 * of the process, and reports the number of executed statements by kind.
 */

const SHARED = 'sotto.bench.statements';
const counters = sharedCounters();

/** Returns the counters of the main thread, which worker threads share. */
function sharedCounters(): Int32Array {
  const given = getEnvironmentData(SHARED);
  if (given instanceof SharedArrayBuffer) return new Int32Array(given);
  if (!isMainThread) throw new Error(`thread ${threadId} was given no counters`);
  const buffer = new SharedArrayBuffer(SQL_KINDS.length * Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(SHARED, buffer);
  return new Int32Array(buffer);
}

function counted(
  prototype: object,
  method: string,
  sqlOf: (self: object, args: readonly unknown[]) => unknown,
): void {
  const original: unknown = Reflect.get(prototype, method);
  if (typeof original !== 'function') throw new Error(`there is no ${method} to count`);
  Reflect.defineProperty(prototype, method, {
    configurable: true,
    writable: true,
    value(this: object, ...args: readonly unknown[]): unknown {
      Atomics.add(counters, SQL_KINDS.indexOf(kindOf(String(sqlOf(this, args)))), 1);
      return Reflect.apply(original, this, args);
    },
  });
}

for (const method of ['run', 'get', 'all', 'iterate'])
  counted(StatementSync.prototype, method, (statement) => Reflect.get(statement, 'sourceSQL'));
counted(DatabaseSync.prototype, 'exec', (_database, [sql]) => sql);
counted(Client.prototype, 'query', (_client, [query]) =>
  typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : query,
);

if (isMainThread)
  process.on('message', (order) => {
    if (order === 'statements')
      process.send?.(
        Object.fromEntries(SQL_KINDS.map((kind, index) => [kind, counters[index] ?? 0])),
      );
  });
