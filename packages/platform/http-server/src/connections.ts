import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  Overloaded,
  SHARED_CALLER,
  Shares,
  widestOf,
  type Caller,
  type ShareLimits,
} from '@sotto/kernel';
import { callerAt, shareCaller } from './callers.js';
import { failureReply } from './refuse-connection.js';

/** Plain numbers, for metrics. */
export interface ConnectionCounts {
  readonly open: number;
  /** Closed for lack of room since the start: new ones, and old ones without a request. */
  readonly refused: number;
}

/** Connections beyond the limit that only health probes may use; the oldest is closed first. */
const PROBE_RESERVE = 32;
const PROBE_PATH = /^\/health\//;
const RETRY_AFTER_SECONDS = 2;

interface OpenConnection {
  readonly socket: Socket;
  readonly caller: Caller;
  /** Widest network of its caller. */
  readonly network: string;
  readonly release: () => void;
  /** Of requests that are complete: what the caller has not read to its end. */
  readonly answers: Set<ServerResponse>;
}

/**
 * Bounds the connections of all listeners, in all and by address, so that some are always left for
 * others, and descriptors for the service itself. At a limit a connection without a complete
 * request is closed for each new one: the oldest of the network that has most of them, or one of
 * the caller's own network where its share is used up. If all have a request, one whose answers are
 * complete and not read gives way; if none is, a new connection serves health probes only.
 */
export class Connections {
  readonly #shares: Shares;
  /** Oldest first. */
  readonly #open = new Map<Socket, OpenConnection>();
  /** Connections without a complete request by network, oldest first. */
  readonly #idle = new Map<string, Set<OpenConnection>>();
  /** Oldest first. */
  readonly #reserve = new Set<Socket>();
  #refused = 0;

  /**
   * @param behindProxy connections are of proxies, whose addresses say nothing of callers: only
   *   their number is bounded
   */
  constructor(
    limits: ShareLimits,
    private readonly behindProxy: boolean,
  ) {
    this.#shares = new Shares(limits);
  }

  /** Counts a connection until it closes, or closes it at once. */
  readonly admit = (socket: Socket): void => {
    const caller = callerAt(socket.remoteAddress);
    this.#admit(socket, caller, this.behindProxy);
  };

  /** The same for a connection of the listener whose callers all share one address. */
  readonly admitShared = (socket: Socket): void => {
    shareCaller(socket);
    this.#admit(socket, SHARED_CALLER, false);
  };

  /**
   * Notes a request whose head is complete.
   * @returns false if the connection is for health probes only and the request is answered with a
   *   failure
   */
  readonly onRequest = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket, url = '' } = request;
    if (this.#reserve.has(socket)) {
      response.setHeader('Connection', 'close');
      if (PROBE_PATH.test(url)) return true;
      const failure = new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS });
      const { status, body, headers } = failureReply(failure);
      response.writeHead(status, { ...headers, 'Retry-After': RETRY_AFTER_SECONDS }).end(body);
      return false;
    }
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    connection.answers.add(response);
    this.#forgetIdle(connection);
    response.once('close', () => {
      connection.answers.delete(response);
      if (connection.answers.size === 0 && !socket.destroyed) this.#noteIdle(connection);
    });
    return true;
  };

  counts(): ConnectionCounts {
    return { open: this.#shares.held, refused: this.#refused };
  }

  #admit(socket: Socket, caller: Caller, isProxy: boolean): void {
    let refusal = this.#refusal(caller, isProxy);
    if (refusal === 'caller' && this.#makeRoomBeside(caller))
      refusal = this.#refusal(caller, isProxy);
    if (refusal === 'caller') {
      this.#close(socket);
      return;
    }
    if (refusal === 'all' && !this.#makeRoom()) {
      this.#addToReserve(socket);
      return;
    }
    const network = widestOf(caller);
    const release = this.#shares.take(caller);
    const connection = { socket, caller, network, release, answers: new Set<ServerResponse>() };
    this.#open.set(socket, connection);
    this.#noteIdle(connection);
    socket.once('close', () => this.#end(connection));
  }

  #refusal(caller: Caller, isProxy: boolean): 'caller' | 'all' | null {
    if (isProxy) return this.#shares.isFull ? 'all' : null;
    return this.#shares.refusal(caller);
  }

  /** @returns false if every connection has a complete request that is not answered */
  #makeRoom(): boolean {
    return this.#giveWay(oldestOfMost(this.#idle) ?? oldestOfMost(this.#unread()));
  }

  /**
   * Closes a connection without a complete request of the caller; where another address of its
   * network has used up the network's share, of the address that has most of them.
   * @returns false if there is none
   */
  #makeRoomBeside(caller: Caller): boolean {
    const idle = [...(this.#idle.get(widestOf(caller)) ?? [])];
    const byCaller = Map.groupBy(idle, (connection) => connection.caller.name);
    const [own] = byCaller.get(caller.name) ?? [];
    if (own !== undefined || this.#shares.hasMost(caller)) return this.#giveWay(own);
    const sets = [...byCaller].map(([name, held]) => [name, new Set(held)] as const);
    return this.#giveWay(oldestOfMost(new Map(sets)));
  }

  #giveWay(connection: OpenConnection | undefined): boolean {
    if (connection === undefined) return false;
    this.#end(connection);
    this.#close(connection.socket);
    return true;
  }

  /**
   * Connections by network whose callers only have to read. Nothing else ends them: a caller who
   * stops reading holds one for as long as it likes.
   */
  #unread(): ReadonlyMap<string, ReadonlySet<OpenConnection>> {
    const answered = [...this.#open.values()].filter(({ answers }) =>
      [...answers].every(({ writableEnded }) => writableEnded),
    );
    const byNetwork = Map.groupBy(answered, ({ network }) => network);
    return new Map([...byNetwork].map(([network, held]) => [network, new Set(held)]));
  }

  #addToReserve(socket: Socket): void {
    const [oldest] = this.#reserve;
    if (oldest !== undefined && this.#reserve.size >= PROBE_RESERVE) {
      this.#reserve.delete(oldest);
      this.#close(oldest);
    }
    this.#reserve.add(socket);
    socket.once('close', () => this.#reserve.delete(socket));
  }

  #close(socket: Socket): void {
    this.#refused += 1;
    socket.destroy();
  }

  #end(connection: OpenConnection): void {
    connection.release();
    this.#open.delete(connection.socket);
    this.#forgetIdle(connection);
  }

  #noteIdle(connection: OpenConnection): void {
    const idle = this.#idle.get(connection.network) ?? new Set();
    this.#idle.set(connection.network, idle.add(connection));
  }

  #forgetIdle(connection: OpenConnection): void {
    const idle = this.#idle.get(connection.network);
    idle?.delete(connection);
    if (idle?.size === 0) this.#idle.delete(connection.network);
  }
}

/** The oldest connection of the name that has most. */
function oldestOfMost(
  byName: ReadonlyMap<string, ReadonlySet<OpenConnection>>,
): OpenConnection | undefined {
  let most: ReadonlySet<OpenConnection> = new Set();
  for (const connections of byName.values()) if (connections.size > most.size) most = connections;
  const [oldest] = most;
  return oldest;
}
