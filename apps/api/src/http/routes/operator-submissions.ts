import { implement, implementStream, readFelt, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import type { ListSubmissionsFilter } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import type { RegisterCursor } from '@sotto/submission-core';
import { actOf, nameOf } from './operator-action.js';
import { submissionsCsv } from './operator-csv.js';
import { toDetailDto, toOperatedSubmissionDto } from './operator-submission-dto.js';

const DEFAULT_PAGE = 50;

export const operatedSubmissionsRoute = ({ listSubmissions }: UseCases): Route =>
  implement(routes.operatedSubmissions, async ({ query: { after, limit, ...query } }) => {
    const cursor = after === undefined ? null : cursorOf(after);
    const page = await listSubmissions.page(filterOf(query), cursor, limit ?? DEFAULT_PAGE);
    return {
      status: 200,
      body: {
        submissions: page.submissions.map(toOperatedSubmissionDto),
        next: page.next === null ? null : `${page.next.acceptedAtMs}-${page.next.row}`,
      },
    };
  });

export const searchSubmissionsRoute = ({ listSubmissions }: UseCases): Route =>
  implement(routes.searchSubmissions, async ({ body: { text } }) => ({
    status: 200,
    body: { submissions: (await listSubmissions.search(text)).map(toOperatedSubmissionDto) },
  }));

export const operatedSubmissionRoute = ({ operateSubmission }: UseCases): Route =>
  implement(routes.operatedSubmission, async ({ params: { id } }) => ({
    status: 200,
    body: toDetailDto(await operateSubmission.inspect(id)),
  }));

export const retrySubmissionRoute = ({ operateSubmission, recordAction }: UseCases): Route =>
  implement(routes.retrySubmission, async ({ params: { id }, body: { reason }, holder, note }) => {
    note({ submission: id });
    const act = actOf(holder, 'submission.retry', id, reason);
    const submission = await recordAction.execute(act, () => operateSubmission.retry(id));
    return { status: 200, body: toOperatedSubmissionDto(submission) };
  });

export const cancelSubmissionRoute = ({ operateSubmission, recordAction }: UseCases): Route =>
  implement(routes.cancelSubmission, async ({ params: { id }, body: { reason }, holder, note }) => {
    note({ submission: id });
    const act = actOf(holder, 'submission.cancel', id, reason);
    const submission = await recordAction.execute(act, () => operateSubmission.cancel(id));
    return { status: 200, body: toOperatedSubmissionDto(submission) };
  });

/**
 * Exports submissions. The action log records the start of an export and its filters, but not if
 * the caller received all rows.
 */
export const exportSubmissionsRoute = ({ listSubmissions, recordAction }: UseCases): Route =>
  implementStream(routes.exportSubmissions, async ({ query, holder }) => {
    const filter = filterOf(query);
    const narrowed = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
    const act = actOf(holder, 'submissions.export', narrowed.join(' ') || 'all', null);
    const pages = listSubmissions.all(filter);
    const first = await recordAction.execute(act, () => pages.next());
    const parts = submissionsCsv(first.done === true ? [] : first.value, pages);
    const headers = { 'Content-Disposition': 'attachment; filename="submissions.csv"' };
    return { headers, parts };
  });

interface FilterQuery {
  readonly state?: ListSubmissionsFilter['state'];
  readonly kind?: string | undefined;
  readonly pool?: string | undefined;
  readonly lane?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

function filterOf({ state, kind, pool, lane, since, until }: FilterQuery): ListSubmissionsFilter {
  return {
    state,
    kind,
    pool: pool === undefined ? undefined : nameOf(pool),
    lane: lane === undefined ? undefined : readFelt('query.lane', lane),
    acceptedSinceMs: since === undefined ? undefined : since * 1_000,
    acceptedBeforeMs: until === undefined ? undefined : until * 1_000,
  };
}

/** Parses a cursor. The route's definition has already validated its format. */
function cursorOf(text: string): RegisterCursor {
  const [acceptedAtMs = '', row = ''] = text.split('-');
  return { acceptedAtMs: Number(acceptedAtMs), row: BigInt(row) };
}
