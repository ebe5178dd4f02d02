import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Child, startChild } from '../../../ops/dev/stack/child.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { RULES } from './rule-files.ts';

/** A Prometheus that scrapes these processes every second and evaluates the rules every second. */
export interface PrometheusServer {
  /** The names of alerts whose expression holds now, pending or firing. */
  activeAlerts(): Promise<Map<string, Record<string, string>>>;
  /** The state of each scraped process: `up`, or the scrape error. */
  targets(): Promise<string[]>;
  stop(): Promise<void>;
}

const EVERY = '1s';

/**
 * `targets` is `host:port` by the name of the scrape job. Needs the Prometheus server from the package of promtool.
 */
export async function startPrometheus(targets: Record<string, string[]>): Promise<PrometheusServer> {
  const directory = temporaryDirectory();
  const port = await freePort();
  copyFileSync(RULES, join(directory, 'alerts.yaml'));
  const configuration = {
    global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
    rule_files: ['alerts.yaml'],
    scrape_configs: Object.entries(targets).map(([job_name, addresses]) => ({
      job_name,
      static_configs: [{ targets: addresses }],
    })),
  };
  writeFileSync(join(directory, 'prometheus.yaml'), stringify(configuration));
  const child: Child = await startChild({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    output: 'pipe',
  });
  let said = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ask = async (path: string): Promise<never> =>
    ((await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: never }).data;
  const server: PrometheusServer = {
    async activeAlerts() {
      const { alerts } = (await ask('alerts')) as { alerts: { labels: Record<string, string> }[] };
      return new Map(alerts.map(({ labels }) => [labels.alertname ?? '', labels]));
    },
    async targets() {
      const { activeTargets } = (await ask('targets')) as {
        activeTargets: { health: string; lastError: string }[];
      };
      return activeTargets.map(({ health, lastError }) => (health === 'up' ? 'up' : lastError || health));
    },
    stop: () => child.stop(),
  };
  const expected = Object.values(targets).flat().length;
  await eventually(
    async () => {
      if (!child.isRunning()) throw new Error(`prometheus ended:\n${said}`);
      const healths = await server.targets();
      return healths.length === expected && healths.every((health) => health === 'up');
    },
    { what: 'Prometheus to scrape every process' },
  );
  return server;
}
