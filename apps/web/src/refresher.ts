import { signal } from '@preact/signals';
import { readService, type Reading } from './service.js';
import { changesSince } from './words.js';

const EVERY_MS = 15_000;

/** Reads the service periodically while the page is visible. */
export class Refresher {
  /** Last data that was read. Null before the first read has ended. */
  readonly reading = signal<Reading | null>(null);
  readonly isReading = signal(false);
  /** Text about the last change, for screen readers. */
  readonly news = signal('');
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly baseUrl: string) {}

  start(): void {
    document.addEventListener('visibilitychange', () => this.#goOn());
    this.#goOn();
  }

  /**
   * Starts a read. If a read is already running, returns its promise, because its data is as recent
   * as that of a new read.
   */
  refresh(): Promise<void> {
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #read(): Promise<void> {
    this.isReading.value = true;
    const before = this.reading.value;
    const after = await readService(this.baseUrl);
    this.reading.value = after;
    this.isReading.value = false;
    const changes = before === null ? [] : changesSince(before, after);
    if (changes.length > 0) this.news.value = changes.join(' ');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#goOn(), EVERY_MS);
  }

  #goOn(): void {
    if (document.visibilityState === 'visible') void this.refresh();
  }
}
