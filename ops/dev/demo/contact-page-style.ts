/** The look of the contact sheet's page: light and dark by the reader's setting, one column on a phone. */
export const PAGE_STYLE = `
:root {
  --paper: #f7f6f3; --card: #ffffff; --ink: #1d1f23; --soft: #62666e; --line: #e3e0d9;
  --accent: #4338ca; --good: #17693a; --good-bg: #dcf1e3; --wait: #7a5200; --wait-bg: #fbecc8;
  --bad: #a02020; --bad-bg: #fbdedc; --none: #4b5058; --none-bg: #e9e8e4; --hollow: #efede8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131417; --card: #1c1e22; --ink: #ecedf0; --soft: #a2a7b0; --line: #2e3137;
    --accent: #a5b4fc; --good: #8fe0ae; --good-bg: #16382a; --wait: #f3cf7a; --wait-bg: #3d3114;
    --bad: #f6a5a0; --bad-bg: #44201f; --none: #c3c7ce; --none-bg: #30333a; --hollow: #24262b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
header, main, footer, .refused { max-width: 1360px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; padding-bottom: 24px; }
h1 { margin: 0 0 4px; font-size: 32px; line-height: 1.2; letter-spacing: -.02em; }
.lead { margin: 0 0 20px; max-width: 68ch; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 12px 36px; margin: 0; }
.facts dt { color: var(--soft); font-size: 12px; }
.facts dd { margin: 0; font-weight: 600; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 24px; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 16px; }
h2 { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 0 0 12px; font-size: 17px; line-height: 1.3; }
.number { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
.style { color: var(--soft); font-weight: 400; }
.badge {
  margin-left: auto; padding: 3px 9px; border-radius: 6px;
  font-size: 11px; font-weight: 700; letter-spacing: .04em;
}
.badge.public { color: var(--good); background: var(--good-bg); }
.badge.private { color: var(--wait); background: var(--wait-bg); }
.badge.rejected { color: var(--bad); background: var(--bad-bg); }
.badge.none { color: var(--none); background: var(--none-bg); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
figure { margin: 0; min-width: 0; }
.frame, .empty { position: relative; display: block; border-radius: 8px; overflow: hidden; background: var(--hollow); }
.frame img { display: block; width: 100%; height: 100%; object-fit: cover; }
.frame:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.frame.rejected img { filter: grayscale(.85); opacity: .55; }
.frame.private { outline: 2px dashed var(--wait); outline-offset: -2px; }
.empty { display: grid; place-items: center; color: var(--soft); border: 1px dashed var(--line); }
.label {
  position: absolute; left: 8px; bottom: 8px; padding: 3px 8px; border-radius: 6px;
  color: #fff; background: rgb(17 18 22 / .78); font-size: 11px; font-weight: 600;
}
figcaption { margin-top: 6px; color: var(--soft); font-size: 12px; }
.note { margin: 10px 0 0; font-size: 14px; }
.meta { margin: 2px 0 0; color: var(--soft); font-size: 12px; overflow-wrap: anywhere; }
.refused { padding-top: 24px; }
.refused ul { margin: 0; padding-left: 18px; }
footer { padding-top: 28px; padding-bottom: 48px; }
.checks { margin: 0; padding: 0; list-style: none; font-size: 14px; }
.checks li::before { display: inline-block; width: 1.5em; font-weight: 700; }
.holds::before { content: "✓"; color: var(--good); }
.fails::before { content: "✗"; color: var(--bad); }
.fails { color: var(--bad); }
@media (max-width: 980px) { main { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 480px) {
  header, main, footer, .refused { padding-left: 14px; padding-right: 14px; }
  header { padding-top: 24px; }
  h1 { font-size: 26px; }
  h2 { font-size: 16px; gap: 6px; }
  article { padding: 12px; }
  .pair { grid-template-columns: 1fr; }
}
@media print { article { break-inside: avoid; } }
`;
