import { isWide } from '../../persistence/search/cell-levels.ts';
import type { SearchIndex } from '../../persistence/search/postgres-search-index.ts';
import { criteriaOfMap, type MapAnswer, type MapQuestion } from '../../persistence/search/search-grid.ts';
import type { Criteria, ListQuestion } from '../../persistence/search/search-index.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createKept, type KeptLimits } from '../kept.ts';

/** A listing that is no longer public is on no map after this time. The size counts marks, about 200 bytes each. */
const LIMITS: KeptLimits = { freshMs: 1_000, many: 5_000, size: 50_000 };

/**
 * Maps and totals of wide areas, kept for a second. Fewer listings are counted anew each time, so a person who changes a
 * listing finds it at once wherever single listings can be told apart. The listings of a list are never kept. A list's
 * total is that of the last map of the same area.
 */
export function keepWideAnswers(index: SearchIndex, clock: Clock, limits = LIMITS): SearchIndex {
  const maps = createKept<MapAnswer>(clock, limits, ({ clusters, pins }) => clusters.length + pins.length);
  const totals = createKept<{ total: number }>(clock, limits, () => 1);
  return {
    ...index,
    async map(question: MapQuestion) {
      const within = criteriaOfMap(question);
      if (!isWide(within.areas)) return index.map(question);
      const key = keyOf(within);
      return maps.ask(`${question.zoom} ${key}`, () => totals.note(key, index.map(question)));
    },
    async list(question: ListQuestion, known: number | null = null) {
      const { criteria } = question;
      if (known !== null || !isWide(criteria.areas)) return index.list(question, known);
      const count = async () => ({ total: await index.count(criteria) });
      const { total } = await totals.ask(keyOf(criteria), count);
      return index.list(question, total);
    },
  };
}

/** Without the instant of the question: an answer may be a second old. */
const keyOf = ({ at: _, ...filters }: Criteria): string => JSON.stringify(filters);
