import { expect, test } from 'vitest';
import type { EffectParams } from '../../../machines/effects.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createRuntimeMetrics } from '../../../src/telemetry/runtime-metrics.ts';
import { createRuntimeReporter } from '../../../src/telemetry/runtime-reporter.ts';

function reporterUnderTest() {
  const metrics = createMetrics({ role: 'worker' });
  const reporter = createRuntimeReporter({
    metrics,
    runtime: createRuntimeMetrics(metrics.registry),
    logger: createLogger({ role: 'worker', level: 'silent' }),
    crashReports: { capture: () => {}, close: async () => {} } as never,
  });
  const report = (event: EffectParams['report']['event'], fields: EffectParams['report']['fields'] = {}) =>
    reporter.report('job', { event, fields });
  /** The value of the series with exactly these labels; undefined when it does not exist. */
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    const series = metric?.values.find(
      (one) =>
        !('metricName' in one && one.metricName !== name && one.metricName !== `${name}_count`) &&
        Object.entries(labels).every(([label, wanted]) => one.labels[label as never] === wanted),
    );
    return series?.value;
  };
  return { reporter, report, value, registry: metrics.registry };
}
const ALERTS = 'proscenium_alerts_total';
const EVENTS = 'proscenium_worker_events_total';

test('a worker event is counted under its name and its error code', async () => {
  const { report, value } = reporterUnderTest();
  report('worker_started', { queueAttempt: 1, queueWaitMs: 1200 });
  report('retry_scheduled', { errorCode: 'PROVIDER_FAILED', category: 'retryable' });
  report('retry_scheduled', { errorCode: 'PROVIDER_FAILED', category: 'retryable' });
  expect(await value(EVENTS, { event: 'worker_started', error_code: '' })).toBe(1);
  expect(await value(EVENTS, { event: 'retry_scheduled', error_code: 'PROVIDER_FAILED' })).toBe(2);
});

test('an unknown error code gets no label of its own', async () => {
  const { report, value } = reporterUnderTest();
  report('terminal_error', { errorCode: 'https://example.com/signed?x=1' });
  expect(await value(EVENTS, { event: 'terminal_error', error_code: 'other' })).toBe(1);
});

test.for(['PROVIDER_UNAUTHORIZED', 'PROVIDER_BILLING'])('%s is counted as an alert', async (errorCode) => {
  const { report, value } = reporterUnderTest();
  const alert = errorCode.toLowerCase();
  expect(await value(ALERTS, { alert })).toBe(0);
  report('terminal_error', { errorCode, category: 'permanent' });
  expect(await value(ALERTS, { alert })).toBe(1);
});

test('a storage outage is an alert even when a second attempt follows', async () => {
  const { report, value } = reporterUnderTest();
  report('retry_scheduled', { errorCode: 'STORAGE_UNAVAILABLE', category: 'retryable' });
  expect(await value(ALERTS, { alert: 'storage_unavailable' })).toBe(1);
});

test('a failed job counts once, although it is both reported and alerted', async () => {
  const { reporter, report, value } = reporterUnderTest();
  report('terminal_error', { errorCode: 'RUNNER_CRASHED', category: 'permanent' });
  reporter.alert({ kind: 'stagingJob', id: 'job' }, { alert: 'runner_crashed', fields: {} });
  expect(await value(ALERTS, { alert: 'runner_crashed' })).toBe(1);
});

test('waiting and predictions are measured in seconds, and values that are not numbers are ignored', async () => {
  const { report, registry } = reporterUnderTest();
  report('worker_started', { queueWaitMs: 1500 });
  report('worker_started', { queueWaitMs: null });
  report('provider_terminal', { providerStatus: 'succeeded', providerMs: 2000 });
  report('provider_terminal', { providerStatus: 'invented', providerMs: 4000 });
  const text = await registry.metrics();
  expect(text).toContain('proscenium_job_queue_wait_seconds_sum{role="worker"} 1.5');
  expect(text).toContain('proscenium_job_queue_wait_seconds_count{role="worker"} 1');
  expect(text).toContain(
    'proscenium_prediction_duration_seconds_sum{role="worker",provider_status="succeeded"} 2',
  );
  expect(text).toContain(
    'proscenium_prediction_duration_seconds_sum{role="worker",provider_status="other"} 4',
  );
});

test('the series that rules use exist before the first event', async () => {
  const worker = await reporterUnderTest().registry.metrics();
  for (const alert of ['attempt_lost', 'stray_prediction', 'late_prediction'])
    expect(worker).toContain(`${ALERTS}{alert="${alert}",role="worker"} 0`);
  for (const outcome of ['401', '402', '403'])
    expect(worker).toContain(
      `proscenium_provider_requests_total{operation="create",outcome="${outcome}",role="worker"} 0`,
    );
  expect(worker).toContain('proscenium_dispatcher_repairs_total{queue="staging",role="worker"} 0');
  const web = await createMetrics({ role: 'web' }).registry.metrics();
  expect(web).toContain('proscenium_webhook_refusals_total{reason="bad-signature",role="web"} 0');
});
