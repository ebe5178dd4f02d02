/** The first picture is waited for so long. */
const LONGEST_WAIT_MS = 2_500;

/**
 * The script in every document that loads the others. On a slow line everything that is loaded at once takes turns, so
 * the other pictures, the typefaces and the scripts come after the first picture: a page is looked at before it is used.
 * What an identity provider has put after the `#` leaves the address first, so that no script that is loaded finds it there
 * (`clients/web/session/provider-sign-in.ts`).
 * @param scripts the first one starts the pages
 */
export function starter(scripts: readonly string[]): string {
  return `{
if (/[#&]state=/.test(location.hash)) {
  window.providerAnswer = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname + location.search);
}
const first = document.querySelector('img[fetchpriority=high]');
const waits = first !== null && !first.complete;
const held = waits ? [...document.querySelectorAll('img[loading=lazy]')].map((one) => [one, one.srcset, one.getAttribute('src')]) : [];
for (const [one] of held) for (const name of ['srcset', 'src']) one.removeAttribute(name);
let hasStarted = false;
const start = () => {
  if (hasStarted) return;
  hasStarted = true;
  document.documentElement.dataset.typefaces = '';
  for (const [one, set, src] of held) {
    if (set) one.srcset = set;
    one.src = src;
  }
  for (const src of ${JSON.stringify(scripts)}.toReversed())
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
};
if (waits) {
  for (const end of ['load', 'error']) first.addEventListener(end, start);
  setTimeout(start, ${LONGEST_WAIT_MS});
} else start();
}`;
}
