import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Age, Chip, Hash, Part, Table, Unread } from './parts.js';
import { STATES, type Filter, type Submission } from './service.js';
import type { Session } from './session.js';
import { SubmissionDialog } from './submission-dialog.js';
import {
  counted,
  failureSaid,
  plain,
  secondsOf,
  stateSaid,
  strk,
  timeFieldOf,
  timeOf,
} from './words.js';

/** View of the submissions as they change, newest first. */
export function Submissions({ session }: { readonly session: Session }): JSX.Element {
  const { submissions } = session;
  const rows = submissions.shown.value;
  const isSearch = submissions.found.value !== null;
  const isLive = session.stream.state.value === 'live';
  return (
    <Part
      title="Submissions"
      note={isLive ? 'As they change' : 'The stream of changes is unavailable: the list may be old'}
    >
      <div class="tools">
        <Search session={session} />
        <Filters session={session} />
        <Export session={session} />
      </div>
      <Unread what="The list" failure={submissions.failure.value} />
      <Unread what="The search" failure={submissions.searchFailure.value} />
      {rows === null ? (
        submissions.failure.value === null && <p class="quiet">Reading …</p>
      ) : (
        <>
          {isSearch ? <p>{counted(rows.length, 'submission')} found.</p> : null}
          <Rows session={session} rows={rows} isSearch={isSearch} />
        </>
      )}
      {isSearch || (submissions.list.value?.next ?? null) === null ? null : (
        <p class="after">
          <button
            type="button"
            class="plain"
            aria-disabled={submissions.isReading.value}
            onClick={() => {
              if (!submissions.isReading.value) void submissions.older();
            }}
          >
            {submissions.isReading.value ? 'Reading …' : 'Older ones'}
          </button>
        </p>
      )}
      <SubmissionDialog session={session} />
    </Part>
  );
}

function Rows({
  session,
  rows,
  isSearch,
}: {
  readonly session: Session;
  readonly rows: readonly Submission[];
  readonly isSearch: boolean;
}): JSX.Element {
  return (
    <Table<Submission>
      caption="Submissions, newest first"
      empty={isSearch ? 'Is it whole? An id, a transaction’s or a nullifier’s hash.' : 'None.'}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Submission',
          cell: ({ id }) => (
            <button
              type="button"
              class="link"
              title={`Submission ${id}`}
              onClick={() => void session.submissions.open(id)}
            >
              <code>{id.slice(0, 10)}…</code>
            </button>
          ),
        },
        { name: 'State', cell: (row) => <State row={row} /> },
        { name: 'Kind', cell: ({ kind }) => plain(kind) },
        { name: 'Pool', cell: ({ pool }) => pool ?? '–' },
        { name: 'Account', cell: ({ lane }) => <Hash value={lane} /> },
        { name: 'Nonce', isNumber: true, cell: ({ nonce }) => nonce ?? '–' },
        {
          name: 'Accepted',
          isNumber: true,
          cell: ({ acceptedAt }) => (
            <>
              <Age session={session} at={acceptedAt} /> ago
            </>
          ),
        },
        {
          name: 'Took',
          isNumber: true,
          cell: ({ acceptedAt, endedAt }) => (endedAt === null ? '…' : `${endedAt - acceptedAt} s`),
        },
        {
          name: 'Gas, STRK',
          isNumber: true,
          cell: ({ gasPaidFri }) => (gasPaidFri === null ? '–' : strk(gasPaidFri)),
        },
        {
          name: 'Fee, STRK',
          isNumber: true,
          cell: ({ feeEarned }) => (feeEarned === null ? '–' : strk(feeEarned.fri)),
        },
      ]}
    />
  );
}

function State({ row }: { readonly row: Submission }): JSX.Element {
  const { code, revertReason, reorged, endedAt } = row;
  return (
    <>
      <Chip said={stateSaid(row)} />
      {code === null ? null : (
        <span class="small">
          <code>{code}</code>
        </span>
      )}
      {revertReason === null ? null : <span class="small">{revertReason}</span>}
      {reorged && endedAt !== null ? <span class="small care">after a reorg</span> : null}
    </>
  );
}

function Search({ session }: { readonly session: Session }): JSX.Element {
  const isSearching = useSignal(false);
  const search = async (text: string): Promise<void> => {
    isSearching.value = true;
    await session.submissions.search(text);
    isSearching.value = false;
  };
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('text');
        if (typeof text === 'string') void search(text.trim());
      }}
      onReset={() => void search('')}
    >
      <label for="text">Id, transaction hash or nullifier hash</label>
      <span class="inline">
        <input id="text" name="text" maxLength={80} autocomplete="off" spellcheck={false} />
        <button type="submit">{isSearching.value ? '…' : 'Search'}</button>
        {session.submissions.found.value === null ? null : (
          <button type="reset" class="plain">
            All
          </button>
        )}
      </span>
    </form>
  );
}

const FILTERED = ['state', 'kind', 'pool', 'lane'] as const;
const TIMES = [
  { name: 'since', label: 'Accepted from' },
  { name: 'until', label: 'Accepted before' },
] as const;

const isTime = (name: string): boolean => TIMES.some((time) => time.name === name);

function Filters({ session }: { readonly session: Session }): JSX.Element {
  const { pools, lanes } = session.status.value.value;
  const recent = session.submissions.recent.value?.rows ?? [];
  const chosen = session.submissions.filter.value;
  const options = {
    state: STATES,
    kind: [...new Set(recent.map(({ kind }) => kind))].toSorted(),
    pool: pools.map(({ key }) => key),
    lane: lanes.map(({ address }) => address),
  } as const;
  const choose = (form: HTMLFormElement): void => {
    const data = [...form.elements]
      .filter((field) => field instanceof HTMLSelectElement || field instanceof HTMLInputElement)
      // An incomplete time does not filter.
      .filter(({ value, validity }) => value !== '' && validity.valid)
      .map(({ name, value }) => [name, isTime(name) ? secondsOf(value) : value] as const);
    // CAST: each field contains a value that the filter of its name accepts.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    void session.submissions.choose(Object.fromEntries(data) as Filter);
  };
  return (
    <form class="filters" aria-label="Filters" onChange={(event) => choose(event.currentTarget)}>
      {FILTERED.map((name) => (
        <label key={name}>
          {name === 'lane' ? 'Account' : name.charAt(0).toUpperCase() + name.slice(1)}
          <select name={name} value={chosen[name] ?? ''}>
            <option value="">all</option>
            {options[name].map((value) => (
              <option key={value} value={value}>
                {name === 'lane' ? `${value.slice(0, 10)}…` : plain(value)}
              </option>
            ))}
          </select>
        </label>
      ))}
      {TIMES.map(({ name, label }) => (
        <label key={name}>
          {label}
          {/* Uncontrolled: a change of the filter must not replace typed text. */}
          <input
            type="datetime-local"
            name={name}
            min="2000-01-01T00:00"
            max="2099-12-31T23:59"
            defaultValue={timeFieldOf(chosen[name])}
          />
        </label>
      ))}
    </form>
  );
}

function Export({ session }: { readonly session: Session }): JSX.Element {
  const said = useSignal('');
  const isUnderWay = useSignal(false);
  const run = async (): Promise<void> => {
    if (isUnderWay.value) return;
    isUnderWay.value = true;
    said.value = '';
    const csv = await session.service.csv(session.submissions.filter.value);
    isUnderWay.value = false;
    if ('failure' in csv) said.value = `${failureSaid(csv.failure)}.`;
    else save(csv.value, `submissions ${timeOf(Date.now() / 1_000)}.csv`);
  };
  return (
    <div class="export">
      <button
        type="button"
        class="plain"
        aria-disabled={isUnderWay.value}
        onClick={() => void run()}
      >
        {isUnderWay.value ? 'Exporting …' : 'Export CSV'}
      </button>
      <p role="alert" class="bad small">
        {said.value}
      </p>
    </div>
  );
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replaceAll(/[^\w.]+/g, '-');
  link.click();
  URL.revokeObjectURL(link.href);
}
