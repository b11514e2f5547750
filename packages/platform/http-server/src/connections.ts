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

/** Counts of connections for the metrics. */
export interface ConnectionCounts {
  readonly open: number;
  /**
   * Number of connections that were closed because of a limit since the start. These are new
   * connections, and older connections that were waiting for their caller.
   */
  readonly refused: number;
}

/**
 * Number of connections above the limit that only health probes may use. If there are more, the
 * oldest of these connections is closed.
 */
const PROBE_RESERVE = 32;
const PROBE_PATH = /^\/health\//;
const RETRY_AFTER_SECONDS = 2;

interface OpenConnection {
  readonly socket: Socket;
  readonly caller: Caller;
  /** Widest network that contains the caller's address. */
  readonly network: string;
  readonly release: () => void;
  /** Responses to complete requests, as long as the caller has not read them completely. */
  readonly answers: Set<ServerResponse>;
}

/**
 * Limits the connections of all listeners, in total and by address. So one caller cannot prevent
 * other callers from connecting, and the process does not run out of file descriptors.
 *
 * At a limit, each new connection closes a connection that waits for its caller. Usually, this is
 * the oldest connection of the network with most connections. If the caller's own network is at its
 * limit, a connection of this network is closed. If all connections wait for the service, a new
 * connection can be used only for health probes.
 */
export class Connections {
  readonly #shares: Shares;
  readonly #open = new WeakMap<Socket, OpenConnection>();
  /** Connections by network. Within a network, the oldest connection is first. */
  readonly #byNetwork = new Map<string, Set<OpenConnection>>();
  /** Connections that only health probes may use, oldest first. */
  readonly #reserve = new Set<Socket>();
  #refused = 0;

  /**
   * @param behindProxy true if connections come from proxies, whose addresses do not identify
   *   callers; then only the total number is limited
   */
  constructor(
    limits: ShareLimits,
    private readonly behindProxy: boolean,
  ) {
    this.#shares = new Shares(limits);
  }

  /**
   * Counts a new connection until it closes. If the connection is not allowed, closes it at once.
   */
  readonly admit = (socket: Socket): void => {
    const caller = callerAt(socket.remoteAddress);
    this.#admit(socket, caller, this.behindProxy);
  };

  /** Counts a new connection of the shared listener, whose callers are counted as one caller. */
  readonly admitShared = (socket: Socket): void => {
    shareCaller(socket);
    this.#admit(socket, SHARED_CALLER, false);
  };

  /**
   * Handles a request whose head is complete.
   * @returns false if only health probes may use the connection and the request was answered with
   *   an error
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
    response.once('close', () => connection.answers.delete(response));
    return true;
  };

  counts(): ConnectionCounts {
    return { open: this.#shares.held, refused: this.#refused };
  }

  #admit(socket: Socket, caller: Caller, isProxy: boolean): void {
    const rejection = this.#rejection(caller, isProxy);
    // The eviction of a connection makes a slot free, even if the caller's network is above its
    // limit.
    if (rejection === 'caller' && !this.#makeRoomBeside(caller)) {
      this.#close(socket);
      return;
    }
    if (rejection === 'all' && !this.#makeRoom()) {
      this.#addToReserve(socket);
      return;
    }
    const network = widestOf(caller);
    const release = this.#shares.take(caller);
    const connection = { socket, caller, network, release, answers: new Set<ServerResponse>() };
    this.#open.set(socket, connection);
    const others = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, others.add(connection));
    socket.once('close', () => this.#end(connection));
  }

  #rejection(caller: Caller, isProxy: boolean): 'caller' | 'all' | null {
    if (isProxy) return this.#shares.isFull ? 'all' : null;
    return this.#shares.rejection(caller);
  }

  /**
   * Closes a connection of any network that waits for its caller. @returns false if every
   * connection waits for the service
   */
  #makeRoom(): boolean {
    const networks = [...this.#byNetwork.values()].toSorted((a, b) => b.size - a.size);
    for (const connections of networks)
      if (this.#giveWay([...connections].find(waitsForCaller))) return true;
    return false;
  }

  /**
   * Closes a connection of the caller. If other addresses of the network have used up the network's
   * limit, closes a connection of the address with most connections instead.
   * @returns false if no connection waits for its caller
   */
  #makeRoomBeside(caller: Caller): boolean {
    const ofNetwork = [...(this.#byNetwork.get(widestOf(caller)) ?? [])].filter(waitsForCaller);
    const byCaller = Map.groupBy(ofNetwork, (connection) => connection.caller.name);
    const own = byCaller.get(caller.name);
    if (own !== undefined || this.#shares.hasMost(caller)) return this.#giveWay(own?.[0]);
    const [most] = [...byCaller.values()].toSorted((a, b) => b.length - a.length);
    return this.#giveWay(most?.[0]);
  }

  #giveWay(connection: OpenConnection | undefined): boolean {
    if (connection === undefined) return false;
    this.#end(connection);
    this.#close(connection.socket);
    return true;
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
    const others = this.#byNetwork.get(connection.network);
    others?.delete(connection);
    if (others?.size === 0) this.#byNetwork.delete(connection.network);
  }
}

/**
 * Returns true if the connection waits until the caller sends or reads data. Such a connection ends
 * only by eviction, because a caller who stops reading can leave it open for any time.
 */
const waitsForCaller = ({ answers }: OpenConnection): boolean =>
  [...answers].every(({ writableEnded }) => writableEnded);
