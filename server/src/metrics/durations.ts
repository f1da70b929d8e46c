// How long something took, counted for many thousands a second. prom-client's own histogram puts a text together from the
// labels each time, which takes longer than finding the route of a request; here a series is found by what it is about, and
// prom-client gets the numbers when somebody asks for them.
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client'

type Sample = MetricObjectWithValues<MetricValue<string>>

export interface DurationsOptions {
  name: string
  help: string
  /** Upper bounds in seconds, the smallest first. */
  buckets: readonly number[]
}

export interface RequestLabels {
  method: string
  route: string
  status: number
}

interface Series {
  labels: RequestLabels
  /** By bucket; the last is for what took longer than all of them. */
  counts: Float64Array
  sum: number
}

export interface Durations {
  observe(labels: RequestLabels, seconds: number): void
  sample(): Sample
}

export function openDurations({ name, help, buckets }: DurationsOptions): Durations {
  const byRoute = new Map<string, Series[]>()
  const seriesOf = (labels: RequestLabels): Series => {
    const { method, route, status } = labels
    const ofRoute = byRoute.get(route) ?? []
    for (const series of ofRoute)
      if (series.labels.status === status && series.labels.method === method) return series
    const made = { labels: { method, route, status }, counts: new Float64Array(buckets.length + 1), sum: 0 }
    byRoute.set(route, [...ofRoute, made])
    return made
  }
  return {
    observe: (labels, seconds) => {
      const series = seriesOf(labels)
      let bucket = 0
      while (bucket < buckets.length && seconds > (buckets[bucket] as number)) bucket += 1
      series.counts[bucket] = (series.counts[bucket] as number) + 1
      series.sum += seconds
    },
    sample: () => {
      const values = [...byRoute.values()].flat().flatMap((series) => valuesOf(series, { name, buckets }))
      // Its type asks for what only a metric that collects by itself has.
      return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Sample
    },
  }
}

/** As Prometheus wants them: each bucket with all that the smaller ones have. */
function valuesOf(
  { labels, counts, sum }: Series,
  { name, buckets }: Pick<DurationsOptions, 'name' | 'buckets'>,
): MetricValueWithName<string>[] {
  const own = { ...labels }
  let total = 0
  const values: MetricValueWithName<string>[] = []
  for (const [index, count] of counts.entries()) {
    total += count
    const le = buckets[index] ?? '+Inf'
    values.push({ metricName: `${name}_bucket`, labels: { le, ...own }, value: total })
  }
  values.push({ metricName: `${name}_sum`, labels: own, value: sum })
  values.push({ metricName: `${name}_count`, labels: own, value: total })
  return values
}
