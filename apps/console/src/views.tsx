import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActionDialog } from './action-dialog.js';
import { AuditLog } from './audit-log.js';
import { Charts } from './chart-view.js';
import { Keeper } from './keeper.js';
import { Lanes } from './lanes.js';
import { Now } from './now.js';
import { Pools } from './pools.js';
import { Sources } from './sources.js';
import { Submissions } from './submissions.js';
import type { Session } from './session.js';
import { age, staleSaid } from './words.js';

interface ViewProps {
  readonly session: Session;
}

const VIEWS = [
  { id: 'now', name: 'Now', show: Now },
  { id: 'submissions', name: 'Submissions', show: Submissions },
  { id: 'accounts', name: 'Accounts', show: Lanes },
  { id: 'pools', name: 'Pools', show: Pools },
  { id: 'keeper', name: 'Keeper', show: Keeper },
  { id: 'sources', name: 'Sources', show: Sources },
  { id: 'charts', name: 'Charts', show: Charts },
  { id: 'log', name: 'Log', show: AuditLog },
] as const satisfies readonly {
  readonly id: string;
  readonly name: string;
  readonly show: (props: ViewProps) => JSX.Element;
}[];

const viewOf = (hash: string): (typeof VIEWS)[number] =>
  VIEWS.find(({ id }) => `#${id}` === hash) ?? VIEWS[0];

interface ViewsProps {
  readonly icon: string;
  readonly session: Session;
  readonly onSignOut: () => void;
}

/** Displays the selected view below the verdict on withdrawals. */
export function Views({ icon, session, onSignOut }: ViewsProps): JSX.Element {
  const view = useSignal(viewOf(location.hash));
  useEffect(() => {
    const follow = (): void => {
      view.value = viewOf(location.hash);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const { id: shown, name, show: Shown } = view.value;
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          // The URL fragment selects the view. This link must therefore move the focus without
          // changing the fragment.
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <span class="name">
          <img src={icon} alt="" />
          Sotto console
        </span>
        <StatusLine session={session} />
        <button type="button" class="plain small" onClick={onSignOut}>
          Sign out
        </button>
        <nav aria-label="Views">
          <ul>
            {VIEWS.map(({ id, name: text }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={id === shown ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {/* The verdict is the heading of its view. */}
        {shown === 'now' ? null : <h1 class="hidden">{name}</h1>}
        <Shown session={session} />
      </main>
      <ActionDialog session={session} />
      <p class="hidden" role="status">
        {session.news}
      </p>
    </>
  );
}

/** Line above every view that displays the verdict. */
function StatusLine({ session }: ViewProps): JSX.Element {
  const known = session.status.value;
  const said = session.verdict.value;
  const { value: now } = session.nowMs;
  const stale = staleSaid(session.failure.value, known.value.verdict, known, now);
  const stream = session.stream.state.value;
  return (
    <p class={`line ${stale === null ? said.tone : 'care'}`}>
      <span>{stale ?? said.text}</span>
      <span class="quiet small">
        {stream === 'live' ? 'live' : 'not live'} · {age(now - known.receivedAtMs)} old
      </span>
    </p>
  );
}
