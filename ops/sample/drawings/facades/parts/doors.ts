import { darker, ellipse, lighter, line, path, rect } from '../../canvas.ts';
import { walk } from './garden.ts';
import { GROUND, type Scene } from './scene.ts';

export function door(
  scene: Scene,
  x: number,
  {
    top = GROUND - 172,
    width = 84,
    glass = false,
    arch = false,
  }: { top?: number; width?: number; glass?: boolean; arch?: boolean } = {},
): void {
  const { canvas, door: color, trim, evening } = scene;
  const height = GROUND - 10 - top;
  const r = width / 2;
  const shape = (grow: number) =>
    arch
      ? `M${x - grow} ${GROUND - 10}V${top + r}A${r + grow} ${r + grow} 0 0 1 ${x + width + grow} ${top + r}V${GROUND - 10}Z`
      : `M${x - grow} ${GROUND - 10}V${top - grow}H${x + width + grow}V${GROUND - 10}Z`;
  canvas.add(
    path(shape(11), { fill: trim, stroke: darker(trim, 0.25), line: 1.2 }),
    path(shape(0), {
      fill: canvas.linear([
        [0, lighter(color, 0.1)],
        [1, darker(color, 0.14)],
      ]),
    }),
  );
  const light = evening ? '#ffd58a' : '#a9c3d1';
  if (glass)
    for (let part = 0; part < 4; part += 1)
      canvas.add(
        rect(x + 14, top + 16 + part * ((height - 30) / 4), width - 28, (height - 30) / 4 - 10, {
          fill: light,
        }),
      );
  else {
    canvas.add(rect(x + 16, top + (arch ? 40 : 16), width - 32, 36, { fill: light, corner: 3 }));
    for (const dx of [12, width / 2 + 5])
      for (const dy of [66, 112])
        if (top + dy + 34 < GROUND - 10)
          canvas.add(
            rect(x + dx, top + dy, width / 2 - 17, 36, {
              stroke: darker(color, 0.34),
              line: 2,
              fill: darker(color, 0.05),
            }),
          );
  }
  canvas.add(ellipse(x + width - 12, top + height * 0.56, 4.4, 4.4, { fill: '#d8b45e' }));
  const [lx, ly] = [x - 32, top + 26];
  if (evening)
    canvas.add(
      ellipse(lx, ly + 12, 120, 120, {
        fill: canvas.radial([
          [0, '#ffd58a', 0.55],
          [1, '#ffd58a', 0],
        ]),
      }),
    );
  canvas.add(
    rect(lx - 7, ly, 14, 24, {
      fill: evening ? '#ffe7ae' : '#e8dfc8',
      stroke: '#2f2c2a',
      line: 3,
      corner: 2,
    }),
  );
  canvas.add(
    rect(x - 40, GROUND - 10, width + 80, 12, { fill: scene.stone }),
    rect(x - 54, GROUND, width + 108, 12, { fill: darker(scene.stone, 0.14) }),
  );
}

export function garage(
  scene: Scene,
  x: number,
  width: number,
  { modern = false }: { modern?: boolean } = {},
): void {
  const { canvas, trim, evening } = scene;
  const [top, height] = [GROUND - 158, 156];
  const color = modern ? '#5b5149' : lighter(trim, 0.1);
  canvas.add(
    rect(x - 10, top - 10, width + 20, height + 10, { fill: trim, stroke: darker(trim, 0.25), line: 1.2 }),
    rect(x, top, width, height, {
      fill: canvas.linear([
        [0, darker(color, 0.14)],
        [1, color],
      ]),
    }),
  );
  for (let up = 1; up < 4; up += 1)
    canvas.add(
      line([x, top + (height * up) / 4], [x + width, top + (height * up) / 4], {
        stroke: darker(color, 0.26),
        line: 2.4,
      }),
    );
  for (let part = 0; part < 4; part += 1) {
    const px = x + 10 + (part * (width - 20)) / 4;
    canvas.add(
      rect(px + 5, top + 8, (width - 20) / 4 - 10, 24, {
        fill: evening ? '#f6c06c' : '#8ba6b8',
        stroke: darker(color, 0.3),
        line: 1.5,
      }),
    );
  }
  walk(scene, x + width / 2, width * 1.02, '#c2bcb1');
}
