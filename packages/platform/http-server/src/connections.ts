import type { Socket } from 'node:net';
import { SHARED_CALLER, Shares, type Caller, type ShareLimits } from '@sotto/kernel';
import { callerAt, shareCaller } from './callers.js';

/** Plain numbers, for metrics. */
export interface ConnectionCounts {
  readonly open: number;
  /** Closed at once since the start. */
  readonly refused: number;
}

/**
 * Bounds the connections of all listeners, in all and by address, so that some are always left for
 * others, and descriptors for the service itself.
 */
export class Connections {
  readonly #shares: Shares;
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
    this.#count(
      socket,
      caller,
      this.behindProxy ? this.#shares.isFull : this.#shares.refusal(caller) !== null,
    );
  };

  /** The same for a connection of the listener whose callers all share one address. */
  readonly admitShared = (socket: Socket): void => {
    shareCaller(socket);
    this.#count(socket, SHARED_CALLER, this.#shares.refusal(SHARED_CALLER) !== null);
  };

  counts(): ConnectionCounts {
    return { open: this.#shares.held, refused: this.#refused };
  }

  #count(socket: Socket, caller: Caller, isTooMuch: boolean): void {
    if (isTooMuch) {
      this.#refused += 1;
      socket.destroy();
      return;
    }
    socket.once('close', this.#shares.take(caller));
  }
}
