import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Child } from '@sotto/process-kit/child';
import { DevError } from '../dev-error.js';
import type { Listener, StopOptions } from '../running.js';
import type { StackMessage, StackOrder } from './protocol.js';

/** URL of the built program. The relative path is the same from src and from dist. */
const PROGRAM = new URL('../../bundle/stack.js', import.meta.url);
/**
 * Folder for the cache of compiled modules. No other installation uses this folder, since its
 * contents are executed.
 */
const COMPILED = fileURLToPath(new URL('.cache', PROGRAM));

/**
 * Process that contains the chain, the doubles of external services and the helpers, with the
 * service as its child. When the current process ends, this process always ends too and stops the
 * service.
 */
export class StackProcess<Description> {
  /**
   * Promise that never rejects, and that resolves with the name of the first process that ends
   * unexpectedly.
   */
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
    // The child needs no other environment variables, because its first message contains all
    // settings.
    this.#child = new Child({
      name: 'development stack',
      program: PROGRAM.href,
      env: {
        // Compiled modules load in half the time of uncompiled modules.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED,
      },
      // Read only standard output: warnings of libraries on standard error could interrupt a line.
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
   * Starts the process.
   * @param signal signal that stops the start and every started process
   * @throws the signal's reason, after all files have been removed; DevError, while the folder
   *   remains
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

  /** Stops all processes, the service first. */
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

  /**
   * Reads the child's output. Messages are lines of JSON; all other lines belong to the child's
   * log.
   */
  #read(text: string, hear: (message: StackMessage<Description>) => void): void {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{"event"')) hear(JSON.parse(line));
  }
}
