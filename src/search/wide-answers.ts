import { isWide } from '../../persistence/search/cell-levels.ts';
import type { SearchIndex } from '../../persistence/search/postgres-search-index.ts';
import { criteriaOfMap, type MapAnswer, type MapQuestion } from '../../persistence/search/search-grid.ts';
import type { Criteria, ListQuestion } from '../../persistence/search/search-index.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';

export interface WideAnswerLimits {
  /** Answers about fewer listings are not cached. */
  readonly many: number;
  readonly maxAgeMs: number;
  /** Counts marks, about 200 bytes each. */
  readonly maxSize: number;
}

/** A listing that is no longer public is on no map after a second. */
const LIMITS: WideAnswerLimits = { many: 5_000, maxAgeMs: 1_000, maxSize: 50_000 };

/**
 * Maps and totals of wide areas, cached for a second. Fewer listings are counted each time, so a person who changes a
 * listing finds it at once wherever single listings are shown. The listings of a list are never cached. A list's
 * total is that of the last map of the same area.
 * @returns puts the cache in front of an index of one server; all of them share it
 */
export function createWideAnswers(clock: Clock, { many, ...limits }: WideAnswerLimits = LIMITS) {
  const maps = createCache<MapAnswer>({
    clock,
    ...limits,
    sizeOf: ({ clusters, pins }) => 1 + clusters.length + pins.length,
  });
  const totals = createCache<{ total: number }>({ clock, ...limits, sizeOf: () => 1 });
  const isMany = ({ total }: { total: number }): boolean => total >= many;
  return (index: SearchIndex): SearchIndex => ({
    ...index,
    async map(question: MapQuestion) {
      const within = criteriaOfMap(question);
      if (!isWide(within.areas)) return index.map(question);
      const key = keyOf(within);
      return maps.load(
        `${question.zoom} ${key}`,
        () => totals.replace(key, index.map(question), isMany),
        isMany,
      );
    },
    async list(question: ListQuestion, known: number | null = null) {
      const { criteria } = question;
      if (known !== null || !isWide(criteria.areas)) return index.list(question, known);
      const count = async () => ({ total: await index.count(criteria) });
      const { total } = await totals.load(keyOf(criteria), count, isMany);
      return index.list(question, total);
    },
  });
}

/** Without the instant of the question: an answer may be a second old. */
const keyOf = ({ at: _, ...filters }: Criteria): string => JSON.stringify(filters);
