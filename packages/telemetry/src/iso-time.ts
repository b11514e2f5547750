let second = Number.NaN;
let text = '';

/** The time as `Date.toISOString` tells it. A busy service asks more often than every second, so all but the milliseconds is made once. */
export function isoTime(nowMs: number): string {
  const milliseconds = nowMs % 1_000;
  if (nowMs - milliseconds !== second) {
    second = nowMs - milliseconds;
    text = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `${text}${String(milliseconds).padStart(3, '0')}Z`;
}
