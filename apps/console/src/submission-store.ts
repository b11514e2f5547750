import { computed, signal } from '@preact/signals';
import { Changes, Latest } from './latest.js';
import type { Failure, Filter, Service, Submission, SubmissionDetail } from './service.js';
import { MOST_ROWS, withChange, withPage, type SubmissionList } from './submission-list.js';

const PAGE = '50';
/** Number of newest submissions whose earned and paid amounts are summed for each lane. */
const MOST_RECENT = '200';
/**
 * Time in ms during which changes of the same submission are collected, so that they cause only one
 * read.
 */
const GATHER_MS = 400;

type Requested = Pick<Service, 'submissions' | 'search' | 'submission'>;

/** The list of submissions with its changes, the result of a search, and the opened submission. */
export class SubmissionStore {
  readonly filter = signal<Filter>({});
  /** Displayed pages of the list. Null before the first read. */
  readonly list = signal<SubmissionList | null>(null);
  readonly failure = signal<Failure | null>(null);
  readonly isReading = signal(false);
  /** Submissions that a search found. Null while no search is active. */
  readonly found = signal<readonly Submission[] | null>(null);
  readonly searchFailure = signal<Failure | null>(null);
  /** Newest submissions of any kind, independent of the filter. Null before the first read. */
  readonly recent = signal<SubmissionList | null>(null);
  readonly openId = signal<string | null>(null);
  readonly detail = signal<SubmissionDetail | null>(null);
  readonly detailFailure = signal<Failure | null>(null);
  readonly shown = computed(() => this.found.value ?? this.list.value?.rows ?? null);
  readonly #lists = new Latest();
  readonly #searches = new Latest();
  readonly #recents = new Latest();
  readonly #details = new Latest();
  readonly #changes = new Changes<Submission>();
  #isGathering = false;

  constructor(private readonly service: Requested) {}

  /** Reads the first page and the newest submissions. */
  async load(): Promise<void> {
    await Promise.all([this.#loadList(), this.#loadRecent()]);
  }

  async choose(filter: Filter): Promise<void> {
    this.filter.value = filter;
    this.list.value = null;
    await this.#loadList();
  }

  async older(): Promise<void> {
    const before = this.list.value;
    if (before === null || before.next === null) return;
    const question = this.#lists.query();
    const { mark } = this.#changes;
    this.isReading.value = true;
    const query = { ...this.filter.value, limit: PAGE, after: before.next };
    const read = await this.service.submissions(query);
    if (!this.#lists.take(question)) return;
    this.isReading.value = false;
    // The list was reloaded during this read. Rows between the end of the new list and this page
    // might be missing, so the page is dropped.
    if (this.list.value === null || this.list.value.next !== before.next) return;
    this.failure.value = 'failure' in read ? read.failure : null;
    if ('failure' in read) return;
    const { submissions, next } = read.value;
    // The displayed rows contain changes that are newer than the page, so the page must not replace
    // these rows.
    const joined = withPage(this.list.value, { rows: submissions, next });
    this.list.value = this.#changed(joined, mark, this.filter.value);
  }

  async search(text: string): Promise<void> {
    const question = this.#searches.query();
    if (text === '') {
      this.#searches.drop();
      this.found.value = null;
      this.searchFailure.value = null;
      return;
    }
    const { mark } = this.#changes;
    const read = await this.service.search(text);
    if (!this.#searches.take(question)) return;
    this.searchFailure.value = 'failure' in read ? read.failure : null;
    // After a failed search `found` is null, which differs from the empty list of a search without
    // results.
    this.found.value =
      'failure' in read ? null : replaced(read.value.submissions, this.#changes.since(mark));
  }

  /** Opens a submission. @param id id of the submission; null closes the dialog */
  async open(id: string | null): Promise<void> {
    if (this.openId.value !== id) {
      this.detail.value = null;
      this.detailFailure.value = null;
    }
    this.openId.value = id;
    this.#details.drop();
    if (id !== null) await this.readDetail();
  }

  async readDetail(): Promise<void> {
    const { value: id } = this.openId;
    if (id === null) return;
    const question = this.#details.query();
    const read = await this.service.submission(id);
    if (!this.#details.take(question)) return;
    this.detailFailure.value = 'failure' in read ? read.failure : null;
    if ('value' in read) this.detail.value = read.value;
  }

  /** Applies a submission that the stream reported. */
  hear(row: Submission): void {
    this.#changes.note(row.id, row);
    const { value: list } = this.list;
    const { value: recent } = this.recent;
    const { value: found } = this.found;
    if (list !== null) {
      this.list.value = withChange(list, row, this.filter.value);
      if (this.list.value.rows.length > MOST_ROWS + Number(PAGE)) void this.#loadList();
    }
    if (recent !== null) {
      const { rows, next } = withChange(recent, row, {});
      this.recent.value = { rows: rows.slice(0, Number(MOST_RECENT)), next };
    }
    if (found !== null) this.found.value = replaced(found, [row]);
    if (row.id === this.openId.value && !this.#isGathering) {
      this.#isGathering = true;
      setTimeout(() => {
        this.#isGathering = false;
        void this.readDetail();
      }, GATHER_MS);
    }
  }

  async #loadList(): Promise<void> {
    const question = this.#lists.query();
    const { value: filter } = this.filter;
    const { mark } = this.#changes;
    this.isReading.value = true;
    const read = await this.service.submissions({ ...filter, limit: PAGE });
    if (!this.#lists.take(question)) return;
    this.isReading.value = false;
    this.failure.value = 'failure' in read ? read.failure : null;
    if ('failure' in read) return;
    const { submissions: rows, next } = read.value;
    this.list.value = this.#changed({ rows, next }, mark, filter);
  }

  async #loadRecent(): Promise<void> {
    const question = this.#recents.query();
    const { mark } = this.#changes;
    const read = await this.service.submissions({ limit: MOST_RECENT });
    if (!this.#recents.take(question) || 'failure' in read) return;
    const { submissions: rows, next } = read.value;
    this.recent.value = this.#changed({ rows, next }, mark, {});
  }

  /** Returns the list with the changes that arrived since the list was requested. */
  #changed(list: SubmissionList, mark: number, filter: Filter): SubmissionList {
    return this.#changes
      .since(mark)
      .reduce((changed, row) => withChange(changed, row, filter), list);
  }
}

const replaced = (
  rows: readonly Submission[],
  changed: readonly Submission[],
): readonly Submission[] => {
  const byId = new Map(changed.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
};
