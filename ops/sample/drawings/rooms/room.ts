import { createCanvas } from '../canvas.ts';
import { PALETTES, type Style } from '../furniture/palettes.ts';
import type { Floor } from '../space/floors.ts';
import { drawAir, drawSun } from '../space/light.ts';
import { drawOpening } from '../space/openings.ts';
import { createSpace } from '../space/projection.ts';
import { drawShell } from '../space/shell.ts';
import { bathroom } from './bathroom.ts';
import { bedroom } from './bedroom.ts';
import { diningRoom } from './dining-room.ts';
import { kitchen } from './kitchen.ts';
import { livingRoom } from './living-room.ts';
import { LOOKS } from './looks.ts';
import { office } from './office.ts';
import type { Plan } from './plan.ts';
import { tvRoom } from './tv-room.ts';

/** Their order gives each its seed. */
const PLANS = {
  LIVING_ROOM: livingRoom,
  BEDROOM: bedroom,
  KITCHEN: kitchen,
  BATHROOM: bathroom,
  DINING_ROOM: diningRoom,
  OFFICE: office,
  TV_ROOM: tvRoom,
} satisfies Readonly<Record<string, Plan>>;
type RoomKind = keyof typeof PLANS;

interface RoomDrawing {
  readonly kind: RoomKind;
  /** Of `LOOK_COUNT`. */
  readonly look: number;
  /** Null: empty, as the photo was taken. */
  readonly style: Style | null;
}

/** The room as SVG. Empty and staged, the room itself is the same to the pixel. */
export function drawRoom({ kind, look: index, style }: RoomDrawing): string {
  const canvas = createCanvas();
  const look = LOOKS[index % LOOKS.length] ?? LOOKS[0];
  if (look === undefined) throw new Error('no look');
  const space = createSpace(canvas, {
    seed: Object.keys(PLANS).indexOf(kind) * 100 + index,
    camera: [-0.35, 0.3, 0, 0.45, -0.5, 0.15][index % 6] ?? 0,
  });
  const { draw, stage, openings } = PLANS[kind];
  const windows = openings(index);
  const light = windows[0]?.wall ?? 'left';
  const floor: Floor =
    kind === 'BATHROOM'
      ? { kind: index % 2 === 0 ? 'checks' : 'tiles', color: index % 2 === 0 ? '#e9e6df' : '#c9c8c2' }
      : kind === 'KITCHEN' && index % 3 === 1
        ? { kind: 'tiles', color: '#d9cfc0' }
        : look.floor;
  drawShell(space, {
    ...look,
    floor,
    light,
    molding: kind === 'KITCHEN' || kind === 'BATHROOM' ? 'none' : (look.molding ?? 'none'),
  });
  for (const opening of windows) drawOpening(space, opening);
  draw(space, look, index);
  for (const opening of windows) drawSun(space, opening);
  if (style !== null) stage(space, PALETTES[style], { windows, index });
  drawAir(space, light);
  return canvas.svg();
}
