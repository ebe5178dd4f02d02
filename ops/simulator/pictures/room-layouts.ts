import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { basket, floorLamp, plant, towelLadder, towelStool } from './furniture-accents.ts';
import { armchair, chaise, deskChair, diningChair, pouf, sofa } from './furniture-seating.ts';
import { bed, rug } from './furniture-soft.ts';
import { bookshelf, nightstand, screen, sideboard } from './furniture-storage.ts';
import { coffeeTable, desk, diningTable, roundTable } from './furniture-tables.ts';
import type { Piece } from './palettes.ts';

/** What is put into each room: only loose things, in metres before the one camera (docs/contract.md#prompt). */
export const LAYOUTS: Record<CanonicalRoomType, () => Piece[]> = {
  LIVING_ROOM: () => [
    rug([-1.55, 1.45], [3.05, 4.75]),
    sofa(-0.15, 4.55),
    coffeeTable(-0.1, 3.55),
    armchair(1.75, 3.55),
    floorLamp(-1.65, 5.1),
    plant(1.6, 5.2),
  ],
  BEDROOM: () => [
    rug([-1.6, 1.6], [3.2, 4.7]),
    bed(0, 3.55),
    nightstand(-1.25, 5.2),
    nightstand(1.25, 5.2),
    plant(2.05, 4.9, { height: 1.2, seed: 5 }),
  ],
  DINING_ROOM: () => [
    rug([-1.6, 1.6], [3.1, 5.1]),
    diningTable(0, 3.75),
    diningChair(-0.45, 4.6, 'far'),
    diningChair(0.45, 4.6, 'far'),
    diningChair(-1.22, 3.98, 'left'),
    diningChair(1.22, 3.98, 'right'),
    diningChair(-0.45, 3.3, 'near'),
    diningChair(0.45, 3.3, 'near'),
    plant(2.1, 5.1),
  ],
  KITCHEN: () => [
    rug([-1.3, 0.9], [3.15, 4.35]),
    roundTable(-0.25, 3.85),
    diningChair(-1.0, 3.65, 'left'),
    diningChair(0.5, 3.65, 'right'),
    plant(1.75, 4.7, { height: 0.95, seed: 9 }),
  ],
  BATHROOM: () => [
    rug([-0.7, 0.3], [3.0, 3.65]),
    towelStool(0.55, 3.6),
    towelLadder(1.48, 4.2),
    basket(1.0, 3.4),
    plant(-0.95, 2.95, { height: 0.75, seed: 11 }),
  ],
  OFFICE: () => [
    rug([-1.4, 1.3], [3.0, 4.7]),
    bookshelf(1.55, 5.2),
    desk(-0.15, 4.15),
    deskChair(-0.15, 3.55),
    floorLamp(-1.55, 5.0),
    plant(-2.0, 4.4, { height: 1.1, seed: 4 }),
  ],
  TV_ROOM: () => [
    rug([-1.2, 1.4], [3.05, 4.8]),
    sideboard({ x: 0.15, z: 5.25, width: 2.1, height: 0.5, doors: 4 }, screen(0.15, 0.54, 5.38)),
    chaise(-2.05, 3.35),
    coffeeTable(0, 3.9, 0.9),
    pouf(1.25, 3.7),
    floorLamp(1.75, 5.3),
    plant(-1.55, 5.4, { height: 1.2, seed: 6 }),
  ],
};
