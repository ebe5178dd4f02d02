import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The files that operators load into Prometheus and Grafana, as data. Paths are relative to the repository. */
export const RULES = 'ops/deploy/prometheus/alerts.yaml';
export const RULE_TESTS = 'ops/deploy/prometheus/alerts-tests.yaml';
export const SCRAPE_CONFIG = 'ops/deploy/prometheus/prometheus.yaml';
const DASHBOARD = 'ops/deploy/grafana-dashboard.json';
export const RUNBOOKS = 'docs/runbooks/alerts';

export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export interface RuleTest {
  name: string;
  promql_expr_test: { expr: string; exp_samples: unknown[] }[];
}

export function ruleTests(): RuleTest[] {
  return (parse(readFileSync(RULE_TESTS, 'utf8')) as { tests: RuleTest[] }).tests;
}

interface Panel {
  title: string;
  type: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; datasource: { uid: string } }[];
}

export interface Dashboard {
  templating: { list: { name: string; type: string; query: string }[] };
  panels: Panel[];
}

export function dashboard(): Dashboard {
  return JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
}

/** Every expression of the dashboard, with Grafana's variable replaced by a duration. */
export function dashboardExpressions(): string[] {
  const targets = dashboard().panels.flatMap((panel) => panel.targets ?? []);
  return targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
}
