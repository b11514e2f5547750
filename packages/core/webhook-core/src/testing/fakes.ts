import type { Alert } from '../domain/alert.js';
import type { Message } from '../domain/signature.js';
import type { AlertSource } from '../ports/alert-source.port.js';
import type { SendResult, WebhookSender } from '../ports/webhook-sender.port.js';

/** Webhook sender that stores the sent messages and returns the result that a test sets. */
export class FakeWebhookSender implements WebhookSender {
  readonly sent: (Message & { readonly endpoint: string })[] = [];
  /** Result of all following messages. */
  result: SendResult = { ok: true };
  /** Called while a message is in flight. */
  onSend: (endpoint: string) => Promise<void> = async () => {};

  async send(endpoint: string, message: Message): Promise<SendResult> {
    this.sent.push({ ...message, endpoint });
    await this.onSend(endpoint);
    return this.result;
  }

  bodies(): readonly unknown[] {
    return this.sent.map(({ body }): unknown => JSON.parse(body));
  }
}

/** Alert source whose alerts are set by a test. */
export class FakeAlertSource implements AlertSource {
  standing: readonly Alert[] = [];
  failure: Error | null = null;

  async alerts(): Promise<readonly Alert[]> {
    if (this.failure !== null) throw this.failure;
    return this.standing;
  }
}
