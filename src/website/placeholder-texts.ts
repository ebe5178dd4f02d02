import type { Pool } from 'pg';
import { textsRule } from '../../persistence/migrations/pending.ts';
import type { WebConfig } from '../config/config.ts';
import { isLoopbackHost } from '../config/host-rules.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The texts that come with the software begin with this sentence; the operator's own never do. */
const PLACEHOLDER = /This text comes with the software\.|Este texto viene con el programa\./;

/** The operator's texts by name, such as `privacy.en`. */
type Texts = ReadonlyMap<string, string>;

/** Where the operator replaces a text, in the folder of the site (docs/brand.md). */
export function textFile(name: string): string {
  const [page, locale] = name.split('.');
  return `texts/${locale}/${page}.md`;
}

/** Thrown at the start. */
class LegalTextsUnfinished extends Error {
  readonly code = 'LEGAL_TEXTS_UNFINISHED';
}

/** The names of the texts that are not the operator's. */
export const placeholdersAmong = (texts: Texts): string[] =>
  [...texts].flatMap(([name, text]) => (PLACEHOLDER.test(text) ? [name] : []));

/**
 * In production the legal pages have the operator's texts (docs/contract.md#legal-pages). An installation that is
 * older than this rule starts without them, because an upgrade must not end it, and has an alarm for 60 days
 * (ops/deploy/prometheus/alerts.yaml).
 * @throws LegalTextsUnfinished with a line for each text, on a new installation
 */
export async function requireOwnTexts(
  texts: Texts,
  {
    config: { nodeEnv, publicBaseUrl },
    pool,
    metrics,
  }: {
    config: Pick<WebConfig, 'nodeEnv' | 'publicBaseUrl'>;
    pool: Pool;
    metrics: Pick<Metrics, 'placeholderTexts' | 'textsRequiredSince'>;
  },
): Promise<void> {
  const isProduction = nodeEnv === 'production' && !isLoopbackHost(new URL(publicBaseUrl).hostname);
  const names = isProduction ? placeholdersAmong(texts) : [];
  metrics.placeholderTexts.set(names.length);
  if (names.length === 0) return;
  const { since, isNew } = await textsRule(pool);
  metrics.textsRequiredSince.set(since.getTime() / 1_000);
  if (!isNew) return;
  const lines = names.map((name) => `  replace ${textFile(name)}`);
  throw new LegalTextsUnfinished(
    `Pages of SITE_DIR still have the texts that come with the software:\n${lines.join('\n')}`,
  );
}
