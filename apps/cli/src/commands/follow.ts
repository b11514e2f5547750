import { setTimeout as delay } from 'node:timers/promises';
import { operatedSubmissions, operatorEvents } from '@sotto/routes';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import type { Command } from 'commander';
import {
  addressOf,
  request,
  queriesService,
  operatedService,
  rejection,
  ServiceAway,
  type OperatedService,
  type ServiceOptions,
} from '../service.js';
import { causeSuffix } from '../cause.js';
import { CannotRun, type Terminal } from '../terminal.js';
import { cellsOf, type Submission } from './submission-row.js';

const RECONNECT_MS = 3_000;

/** Adds the command that prints changes of submissions until the operator ends it. */
export function addFollow(program: Command, terminal: Terminal): void {
  queriesService(
    program
      .command('follow')
      .summary('shows submissions of a running service as they change')
      .description(
        'Prints a line whenever a submission changes, until the command is ended. A stream that breaks is opened again, and the changes since then are printed. With --json each line is a JSON value.',
      ),
  ).action(async (options: ServiceOptions) => {
    const service = operatedService(options, terminal.env);
    const follower = new Follower(service, terminal, options.json === true);
    await follower.run();
  });
}

/**
 * Maximum time without data, in ms. The service sends data every 15 s, but a half-open connection
 * delivers none.
 */
const SILENCE_MS = 45_000;

export class Follower {
  /**
   * Last printed line of each submission, by the submission's id. When the list is read again, a
   * line that has not changed is not printed again.
   */
  readonly #shown = new Map<string, string>();

  constructor(
    private readonly service: OperatedService,
    private readonly terminal: Terminal,
    private readonly json: boolean,
    private readonly silenceMs = SILENCE_MS,
  ) {}

  /**
   * Resolves when the operator ends the command. @throws CannotRun if the service rejects the
   * request
   */
  async run(): Promise<void> {
    const { interrupted, progress } = this.terminal;
    while (!interrupted.aborted) {
      try {
        await this.#readStream();
      } catch (error) {
        if (interrupted.aborted) return;
        if (error instanceof CannotRun && !(error instanceof ServiceAway)) throw error;
        progress(
          error instanceof ServiceAway ? error.message : `the stream broke${causeSuffix(error)}`,
        );
      }
      await delay(RECONNECT_MS, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }

  async #readStream(): Promise<void> {
    const { interrupted, progress } = this.terminal;
    const silent = new AbortController();
    const timer = setTimeout(
      () => silent.abort(new ServiceAway('the stream is silent')),
      this.silenceMs,
    );
    try {
      const response = await fetch(addressOf(this.service.baseUrl, operatorEvents.path), {
        headers: { ...this.service.headers, accept: 'text/event-stream' },
        signal: AbortSignal.any([interrupted, silent.signal]),
      });
      if (!response.ok || response.body === null)
        throw rejection(response.status, await response.json().catch(() => null));
      progress('following');
      const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          timer.refresh();
          controller.enqueue(chunk);
        },
      });
      const events = response.body
        .pipeThrough(heard)
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const event of events) await this.#hear(event);
    } finally {
      clearTimeout(timer);
    }
  }

  async #hear({ event, data }: EventSourceMessage): Promise<void> {
    if (event === 'resync') await this.#readList();
    // CAST: the service's definition fixes the type of this event.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === 'submission') this.#show(JSON.parse(data) as Submission);
  }

  /**
   * Reads the list of submissions, because the event stream may have missed changes. Prints the
   * differences.
   */
  async #readList(): Promise<void> {
    const { submissions } = await request(this.service, operatedSubmissions);
    for (const submission of submissions.toReversed()) this.#show(submission);
  }

  #show(submission: Submission): void {
    const line = this.json ? JSON.stringify(submission) : cellsOf(submission).join('  ');
    if (this.#shown.get(submission.id) === line) return;
    this.#shown.delete(submission.id);
    this.#shown.set(submission.id, line);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MOST_REMEMBERED && oldest !== undefined) this.#shown.delete(oldest);
    this.terminal.result(line);
  }
}

/**
 * Maximum number of submissions whose last line is stored. The maximum is far larger than one page
 * of the list.
 */
const MOST_REMEMBERED = 10_000;
