import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { chartsOf, type ChartData } from './charts.js';
import { Part, Unread } from './parts.js';
import { SPANS } from './service.js';
import type { Session } from './session.js';
import { timeOf } from './words.js';

const HEIGHT = 220;

/** View with charts of money, latency and queue over time. */
export function Charts({ session }: { readonly session: Session }): JSX.Element {
  useEffect(() => {
    session.showSeries(true);
    return () => session.showSeries(false);
  }, []);
  const series = session.series.value;
  return (
    <Part title="Charts" note="Of all instances">
      <div class="spans" role="group" aria-label="Time that is shown">
        {SPANS.map((span) => (
          <button
            key={span}
            type="button"
            class="plain small"
            aria-pressed={session.span.value === span}
            onClick={() => session.chooseSpan(span)}
          >
            {span}
          </button>
        ))}
      </div>
      <Unread what="The series" failure={session.seriesFailure.value} />
      {series === null ? (
        session.seriesFailure.value === null && <p class="quiet">Reading …</p>
      ) : (
        <>
          {series.complete ? null : (
            <p class="notice">More has ended than is read for a chart: older buckets lack some.</p>
          )}
          <div class="charts">
            {chartsOf(series).map((chart) => (
              <Chart key={chart.title} chart={chart} />
            ))}
          </div>
        </>
      )}
    </Part>
  );
}

function Chart({ chart }: { readonly chart: ChartData }): JSX.Element {
  const { title, sum, at, lines, unit } = chart;
  const isOpen = useSignal(false);
  return (
    <figure>
      <figcaption>
        <h3>
          {title}
          {unit === '' ? null : <span class="quiet small"> {unit}</span>}
        </h3>
        <p class="quiet small">{sum}</p>
      </figcaption>
      <Canvas chart={chart} />
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary class="small">As a table</summary>
        {isOpen.value ? (
          // A scrollable element must be focusable by keyboard.
          <div class="scrolled" role="region" aria-label={`${title} as a table`} tabIndex={0}>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">From</th>
                  {lines.map(({ name }) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {at.map((second, place) => (
                  <tr key={second}>
                    <th scope="row">{timeOf(second)}</th>
                    {lines.map(({ name, values }) => (
                      <td key={name} class="number">
                        {numberSaid(values[place] ?? null)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
      </details>
    </figure>
  );
}

const numberSaid = (value: number | null): string =>
  value === null ? '–' : String(Math.round(value * 1e3) / 1e3);

/**
 * Canvas with the lines of a chart. Assistive technology can't read a canvas and uses the summary
 * and the table instead.
 */
function Canvas({ chart }: { readonly chart: ChartData }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | null>(null);
  const latest = useRef(chart);
  latest.current = chart;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // The colours are read each time the chart is drawn. A change of the colour scheme therefore
    // draws the chart again.
    const draw = (): void => {
      drawn.current?.destroy();
      drawn.current = new UPlot(
        optionsOf(latest.current, element),
        dataOf(latest.current),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() =>
      drawn.current?.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', draw);
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, []);
  useEffect(() => drawn.current?.setData(dataOf(chart)), [chart]);
  return <div ref={place} class="canvas" aria-hidden="true" />;
}

const dataOf = ({ at, lines }: ChartData): UPlot.AlignedData => [
  [...at],
  ...lines.map(({ values }) => [...values]),
];

const DAY_SECONDS = 86_400;

/** Returns the time of day, or the date if the chart covers several days. */
function whenSaid(second: number, at: readonly number[]): string {
  const when = new Date(second * 1_000);
  return (at.at(-1) ?? 0) - (at[0] ?? 0) > 2 * DAY_SECONDS
    ? when.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
    : when.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

function optionsOf({ lines, at }: ChartData, element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    series: [
      { value: (_plot: UPlot, second: number | null) => (second === null ? '–' : timeOf(second)) },
      ...lines.map(({ name }, place) => ({
        label: name,
        stroke: colour(place === 0 ? '--chart-1' : '--chart-2'),
        width: 2,
        points: { show: false },
        // A dash pattern distinguishes the lines without colours.
        ...(place === 0 ? {} : { dash: [6, 4] }),
        value: (_plot: UPlot, value: number | null) => numberSaid(value),
      })),
    ],
    axes: [
      {
        ...axis,
        values: (_plot: UPlot, splits: number[]) => splits.map((second) => whenSaid(second, at)),
      },
      { ...axis, size: 56 },
    ],
    scales: {
      y: { range: (_plot, least, most) => [Math.min(0, least), most > 0 ? most * 1.1 : 1] },
    },
    cursor: { y: false },
  };
}
