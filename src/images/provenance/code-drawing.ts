import qrcode from 'qrcode-generator';

/** White modules around a code, without which readers do not find it (ISO/IEC 18004). */
const QUIET = 4;
/** A fifteenth of the code may be covered or torn. */
const CORRECTION = 'M';

/**
 * A text as a QR code, as an SVG that is printed sharply at any size: black on white, whatever the colors around it.
 * @param title what a screen reader says
 */
export function drawCode(text: string, title: string): string {
  const code = qrcode(0, CORRECTION);
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const side = count + 2 * QUIET;
  const runs: string[] = [];
  for (let row = 0; row < count; row += 1)
    for (let column = 0, end = 0; column < count; column = end + 1) {
      end = column;
      while (end < count && code.isDark(row, end)) end += 1;
      if (end > column) runs.push(`M${column + QUIET} ${row + QUIET}h${end - column}v1h-${end - column}z`);
    }
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" shape-rendering="crispEdges"><title>${escaped}</title><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${runs.join('')}"/></svg>`;
}
