import { createParser } from 'eventsource-parser';

/**
 * Maximum time without data, in ms. The service sends a comment every 15 seconds, so a longer
 * silence means that the connection is broken.
 */
const SILENCE_MS = 40_000;

/**
 * Calls the callback with each event until the stream ends.
 * @throws Error if the stream breaks or is silent for too long
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (name: string, data: string) => void,
  silenceMs = SILENCE_MS,
): Promise<void> {
  const parser = createParser({ onEvent: ({ event, data }) => onEvent(event ?? 'message', data) });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await withinTime(reader, silenceMs);
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

async function withinTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const silent = new Error('the stream is silent');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silent), silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (error === silent) await reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
