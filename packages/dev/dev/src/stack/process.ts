import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Child } from '@sotto/process-kit/child';
import { DevError } from '../dev-error.js';
import type { Listener, StopOptions } from '../running.js';
import type { StackMessage, StackOrder } from './protocol.js';

/** The same file from src and from dist. */
const PROGRAM = new URL('../../bundle/stack.js', import.meta.url);
/** Of this installation alone: what stands in it is run. */
const COMPILED = fileURLToPath(new URL('.cache', PROGRAM));

/**
 * The process below which everything runs: chain, doubles and helpers in it, the service as its
 * child. It ends when this process does, whichever way, and takes the service along.
 */
export class StackProcess<Description> {
  /** Resolves, never rejects, with the name of the first process that ends by itself. */
  readonly ended: Promise<string>;
  readonly #child: Child;
  readonly #ready: Promise<Description>;
  #unread = '';
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly order: StackOrder,
    onProgress: Listener,
  ) {
    const ready = Promise.withResolvers<Description>();
    const serviceEnded = Promise.withResolvers<string>();
    const hear = (message: StackMessage<Description>): void => {
      if (message.event === 'said') onProgress(message.text);
      else if (message.event === 'ready') ready.resolve(message.description);
      else if (message.event === 'failed') ready.reject(new DevError(message.message));
      else serviceEnded.resolve('service');
    };
    // Of its environment it needs nothing: the order has all settings.
    this.#child = new Child({
      name: 'development stack',
      program: PROGRAM.href,
      env: {
        // Modules that are compiled already load in half the time.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED,
      },
      // What libraries warn of may break into a line.
      onOutput: (text, stream) => {
        if (stream === 'stdout') this.#read(text, hear);
      },
    });
    this.#child.send(JSON.stringify(order));
    const childEnded = this.#child.ended.then(() => {
      ready.reject(new DevError(`the stack ended while it started:\n${this.#child.lastWritten}`));
      return this.#child.name;
    });
    this.#ready = ready.promise;
    this.ended = this.#untilUnexpected(Promise.race([serviceEnded.promise, childEnded]));
  }

  /**
   * @param signal ends the start, and what was started
   * @throws the signal's reason, of whose start nothing is left; DevError, whose folder stays
   */
  static async start<Description>(
    order: StackOrder,
    onProgress: Listener,
    signal: AbortSignal | undefined,
  ): Promise<readonly [StackProcess<Description>, Description]> {
    const stack = new StackProcess<Description>(order, onProgress);
    const abort = (): void => void stack.stop();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      const description = await stack.#ready;
      signal?.throwIfAborted();
      return [stack, description];
    } catch (error) {
      await stack.stop({ keep: true });
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends everything, service first. */
  stop({ keep = false }: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(keep);
    return this.#stopping;
  }

  async #stop(keep: boolean): Promise<void> {
    await this.#child.stop();
    if (!keep) rmSync(this.order.folder, { recursive: true, force: true });
  }

  async #untilUnexpected(ended: Promise<string>): Promise<string> {
    const name = await ended;
    return this.#stopping === undefined ? name : new Promise(() => {});
  }

  /** Lines of JSON are messages, everything else is its log. */
  #read(text: string, hear: (message: StackMessage<Description>) => void): void {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{"event"')) hear(JSON.parse(line));
  }
}
