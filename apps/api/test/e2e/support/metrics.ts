import type { Service } from '@sotto/process-kit';

/** The metrics that a service exposes to Prometheus at one moment. */
export class Scrape {
  private constructor(readonly text: string) {}

  /** @throws Error when the service serves no metrics */
  static async of(service: Service): Promise<Scrape> {
    const url = /"metricsUrl":"(http:[^"]+)"/.exec(service.output)?.[1];
    if (url === undefined) throw new Error('the service serves no metrics');
    const response = await fetch(url);
    if (response.status !== 200) throw new Error(`the metrics answer ${response.status}`);
    return new Scrape(await response.text());
  }

  /**
   * Returns the value of the series with exactly these labels; undefined if no such series exists.
   */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, of]) => `${label}="${of}"`);
    for (const [, series, text = '', value] of this.text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
      if (series !== name) continue;
      const labelled = [...text.matchAll(/\w+="[^"]*"/g)].map(([label]) => label);
      if (labelled.toSorted().join(',') === wanted.toSorted().join(',')) return Number(value);
    }
    return undefined;
  }

  /** Returns the sum of all series of this name. */
  sum(name: string): number {
    return [...this.text.matchAll(/^(\w+)(?:\{.*\})? (\S+)$/gm)].reduce(
      (sum, [, series, value]) => (series === name ? sum + Number(value) : sum),
      0,
    );
  }
}
