/** Labels of an alert, including the alert's name as `alertname`. */
export type AlertLabels = Readonly<Record<string, string>>;

/** Inhibition rule in the format of Alertmanager's file. */
export interface InhibitRule {
  readonly source_matchers: readonly string[];
  readonly target_matchers: readonly string[];
  readonly equal: readonly string[];
}

/**
 * Returns true if all matchers match the labels, as Alertmanager does. @throws Error for a matcher
 * of unknown syntax
 */
export function matchesLabels(matchers: readonly string[], labels: AlertLabels): boolean {
  return matchers.every((matcher) => {
    const [, label = '', operator = '', quoted = ''] =
      /^(\w+) ?(=~|!=|=) ?"?([^"]*)"?$/.exec(matcher) ?? [];
    const value = labels[label] ?? '';
    switch (operator) {
      case '=':
        return value === quoted;
      case '!=':
        return value !== quoted;
      case '=~':
        return new RegExp(`^(?:${quoted})$`).test(value);
      default:
        throw new Error(`no matcher: ${matcher}`);
    }
  });
}

/** Returns the firing alerts that no other firing alert mutes. */
export function unmutedAlerts(
  firing: readonly AlertLabels[],
  rules: readonly InhibitRule[],
): readonly AlertLabels[] {
  const isMuted = (target: AlertLabels): boolean =>
    rules.some(
      ({ source_matchers: sources, target_matchers: targets, equal }) =>
        matchesLabels(targets, target) &&
        firing.some(
          (source) =>
            source !== target &&
            matchesLabels(sources, source) &&
            equal.every((label) => (source[label] ?? '') === (target[label] ?? '')),
        ),
    );
  return firing.filter((alert) => !isMuted(alert));
}
