import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import { DRIFT_FLAGS } from '../../machines/vocabulary.ts';
import type { StoredDrift } from '../../persistence/database/stored-drift.ts';
import { imageUrl } from './images.ts';
import { instant, iso } from './text.ts';

/** Shares of the picture's width and height, from 0 to 1. */
const box = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() });

/** How a staged picture differs from its photo where it should not (docs/contract.md#drift). A help, no decision. */
export const drift = z.object({
  /** From 0 (nothing found) to 1, for sorting. */
  score: z.number(),
  flags: z.array(z.object({ flag: z.enum(DRIFT_FLAGS), label: z.string() })),
  /** The picture cannot be approved together with others. */
  geometryMoved: z.boolean(),
  /** New things above the height of furniture, largest first. */
  boxes: z.array(box),
  /** A transparent picture to lay over the staged one: red is lost, blue is new. */
  heatMapUrl: z.string().nullable(),
  comparedAt: instant,
});
export type Drift = z.output<typeof drift>;

/** The address of a picture's heat map; who may see the picture may see it. */
const heatMapUrl = (publicBaseUrl: string, imageId: string): string =>
  `${imageUrl(publicBaseUrl, imageId)}/drift`;

/** Null for a picture that has not been compared. The labels are in the translator's language. */
export function toDrift(
  { imageId, drift: stored }: { imageId: string; drift: StoredDrift | null },
  { publicBaseUrl, words }: { publicBaseUrl: string; words: Translator },
): Drift | null {
  if (stored === null) return null;
  const { score, flags, geometryMoved, boxes, hasHeatMap, comparedAt } = stored;
  return {
    score,
    flags: flags.map((flag) => ({ flag, label: words.t(`drift.${flag}`) })),
    geometryMoved,
    boxes,
    heatMapUrl: hasHeatMap ? heatMapUrl(publicBaseUrl, imageId) : null,
    comparedAt: iso(comparedAt),
  };
}
