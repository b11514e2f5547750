import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { silentLogger, type Clock, type Logger } from '@sotto/kernel';
import type { Hint, InstanceBus } from '@sotto/submission-core';
import { Client, type ClientConfig } from 'pg';

const CHANNEL = 'sotto_hints';
const RECONNECT_MS = 1_000;
/**
 * Maximum number of notifications that wait to be sent. Notifications beyond this maximum are
 * dropped; the other instances then find the rows by polling.
 */
const MAX_UNSENT = 1_000;
/**
 * Time in milliseconds for which notifications are collected, so that those of one burst share a
 * statement.
 */
const COLLECTING_MS = 10;
/**
 * Time that a connection has to close properly, in milliseconds. After this time, its socket is
 * left to the operating system.
 */
const GOODBYE_MS = 1_000;

interface Connection {
  readonly client: Client;
  /** Called when the connection is no longer usable. */
  readonly gone: () => void;
}

interface BusOptions {
  /**
   * Returns true if no other instance is running. Then nothing is sent. An instance that has just
   * started finds changed rows by polling until this one detects it.
   */
  readonly isAlone: () => boolean;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger?: Logger | undefined;
}

/**
 * Sends notifications between instances by LISTEN and NOTIFY. A separate connection is used,
 * because a notification within a ledger transaction would serialise all commits. While the
 * connection is lost, notifications are dropped. Reconnects until `close`.
 */
export class PostgresInstanceBus implements InstanceBus {
  readonly #me = randomUUID();
  readonly #listeners: ((hint: Hint) => void)[] = [];
  readonly #unsent = new Set<string>();
  readonly #closing = new AbortController();
  #connection: Connection | null = null;
  #isSending = false;
  #running: Promise<void> = Promise.resolve();

  readonly #isAlone: BusOptions['isAlone'];
  readonly #clock: BusOptions['clock'];
  readonly #logger: Logger;

  constructor(
    private readonly connectionOptions: ClientConfig,
    { isAlone, clock, logger = silentLogger }: BusOptions,
  ) {
    this.#isAlone = isAlone;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Resolves when the bus receives notifications, or when its first connection attempt has failed.
   */
  start(): Promise<void> {
    return new Promise((tried) => {
      this.#running = this.#run(tried);
    });
  }

  report(hint: Hint): void {
    if (this.#connection === null || this.#unsent.size >= MAX_UNSENT || this.#isAlone()) return;
    const id = 'id' in hint ? hint.id : undefined;
    this.#unsent.add([this.#me, hint.kind, id].filter((part) => part !== undefined).join(' '));
    if (!this.#isSending) void this.#send(this.#connection);
  }

  hear(listener: (hint: Hint) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(tried: () => void): Promise<void> {
    let isInterrupted = false;
    while (!this.#closing.signal.aborted) {
      await this.#listen(() => {
        // Notifications of other instances may have been lost while there was no connection, so
        // trigger a poll.
        if (isInterrupted) this.#deliver({ kind: 'work' });
        isInterrupted = false;
        tried();
      });
      if (!isInterrupted && !this.#closing.signal.aborted)
        this.#logger.warn({}, 'no notifications from other instances are received');
      isInterrupted = true;
      tried();
      await this.#clock.sleep(RECONNECT_MS, this.#closing.signal);
    }
  }

  /** Listens until the connection is lost or the store is closed. */
  async #listen(heard: () => void): Promise<void> {
    const client = new Client(this.connectionOptions);
    const end = new AbortController();
    const gone = (): void => end.abort();
    client.on('error', gone);
    client.on('end', gone);
    client.on('notification', ({ payload = '' }) => this.#heard(payload));
    this.#closing.signal.addEventListener('abort', gone, { once: true });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#connection = { client, gone };
      heard();
      if (!end.signal.aborted) await once(end.signal, 'abort');
    } catch {
      // The database is unavailable; the ledger's own calls report the cause.
    } finally {
      this.#connection = null;
      this.#unsent.clear();
      this.#closing.signal.removeEventListener('abort', gone);
      await this.#end(client);
    }
  }

  async #end(client: Client): Promise<void> {
    const ended = new AbortController();
    await Promise.race([
      client.end().catch(() => undefined),
      this.#clock.sleep(GOODBYE_MS, ended.signal),
    ]);
    ended.abort();
  }

  /**
   * Sends all waiting notifications in one statement after a short time, including those that
   * accumulated during the previous statement.
   */
  async #send(connection: Connection): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#connection === connection && this.#unsent.size > 0) {
        await this.#clock.sleep(COLLECTING_MS, this.#closing.signal);
        if (this.#connection !== connection) return;
        const payloads = [...this.#unsent];
        this.#unsent.clear();
        await connection.client.query(
          'select pg_notify($1, payload) from unnest($2::text[]) as payload',
          [CHANNEL, payloads],
        );
      }
    } catch {
      // The state of the connection is unknown, so open a new one.
      connection.gone();
    } finally {
      this.#isSending = false;
    }
  }

  #heard(payload: string): void {
    const [, speaker, kind, id] = /^(\S+) (\S+)(?: (.*))?$/.exec(payload) ?? [];
    if (speaker === this.#me) return;
    if (kind === 'lanes') this.#deliver({ kind });
    if (kind === 'work') this.#deliver(id === undefined ? { kind } : { kind, id });
    if (kind === 'changed' && id !== undefined) this.#deliver({ kind, id });
  }

  #deliver(hint: Hint): void {
    for (const heard of this.#listeners) heard(hint);
  }
}
