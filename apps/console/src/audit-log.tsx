import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Chip, Part, Table, Unread } from './parts.js';
import type { AuditEntry } from './service.js';
import type { Session } from './session.js';
import { outcomeSaid, short, timeOf } from './words.js';

/** Table of the operators' actions, newest first. */
export function AuditLog({ session }: { readonly session: Session }): JSX.Element {
  useEffect(() => void session.readAuditLog(), []);
  const log = session.auditLog.value;
  return (
    <Part title="What operators did" note="On all instances; nothing removes an entry">
      <Unread what="The log" failure={session.auditFailure.value} />
      {log === null ? (
        session.auditFailure.value === null && <p class="quiet">Reading …</p>
      ) : (
        <Table<AuditEntry>
          caption="Actions of operators, newest first"
          empty="Nothing yet."
          rows={log.entries}
          keyOf={({ id }) => String(id)}
          columns={[
            { name: 'At', cell: ({ at }) => <span class="number">{timeOf(at)}</span> },
            { name: 'Who', cell: ({ holder }) => holder },
            { name: 'Action', cell: ({ action }) => action },
            {
              name: 'To',
              cell: ({ subject }) => (
                <span title={subject}>
                  {subject.startsWith('0x') ? <code>{short(subject)}</code> : subject}
                </span>
              ),
            },
            { name: 'Reason', cell: ({ reason }) => reason ?? '–' },
            { name: 'Outcome', cell: ({ outcome }) => <Chip said={outcomeSaid(outcome)} /> },
          ]}
        />
      )}
      {log === null || log.next === null ? null : (
        <p class="after">
          <button type="button" class="plain" onClick={() => void session.readOlderAuditLog()}>
            Older ones
          </button>
        </p>
      )}
    </Part>
  );
}
