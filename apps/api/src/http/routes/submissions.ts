import { implement, implementStream, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import { hasReached, type SubmissionView } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import { EVENT_HEADERS } from './operator-records.js';
import { loggedOf, submissionOf, whenToPollAgain } from './transactions.js';

/** Delay until a caller that wanted to wait should send its request again, in seconds. */
const WAIT_AGAIN_SECONDS = 1;
/** Delay before a disconnected reader of a stream reconnects, in ms. */
const RECONNECT_MS = 1_000;
/** The same after the last event, in ms, for a reader that does not close its stream. */
const RECONNECT_AFTER_END_MS = 60_000;
const UNCHANGED = ': \n\n';

/** Returns a submission to any caller that knows its id, because the id can't be guessed. */
export const submissionRoute = ({ followSubmission }: UseCases): Route =>
  implement(routes.submission, async ({ params: { id }, query, caller, closing, note }) => {
    const { wait, until } = query;
    const view = await (wait === undefined
      ? followSubmission.read(id)
      : followSubmission.wait({ id, caller, until, waitMs: wait * 1_000, signal: closing }));
    note(loggedOf(view.answer));
    const later = { 'Retry-After': String(WAIT_AGAIN_SECONDS) };
    const headers =
      wait === undefined ? whenToPollAgain(view) : hasReached(view, until) ? {} : later;
    return { status: 200, body: submissionOf(view), headers };
  });

export const submissionEventsRoute = ({ followSubmission }: UseCases): Route =>
  implementStream(routes.submissionEvents, ({ params: { id }, caller, closing }) => ({
    headers: EVENT_HEADERS,
    parts: sentViews(followSubmission.stream({ id, caller, signal: closing })),
  }));

/** Formats views as server-sent events, and views without a visible change as comments. */
async function* sentViews(views: AsyncIterable<SubmissionView>): AsyncGenerator<string> {
  let sent = '';
  for await (const view of views) {
    const data = JSON.stringify(routes.submission.replies[200].schema.parse(submissionOf(view)));
    const retryMs = hasReached(view, 'accepted') ? RECONNECT_AFTER_END_MS : RECONNECT_MS;
    yield data === sent ? UNCHANGED : `retry: ${retryMs}\nevent: submission\ndata: ${data}\n\n`;
    sent = data;
  }
}
