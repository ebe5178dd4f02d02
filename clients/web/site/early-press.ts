/**
 * Presses on buttons that the server has drawn and whose script has not come yet. React gives the browser's events only to
 * what it has taken over, and forgets the others.
 */
let early: HTMLElement | null = null;

/** React keeps its properties of an element on the element, from when it takes the element over. */
const works = (element: Element): boolean =>
  Object.keys(element).some((key) => key.startsWith('__reactProps$'));

/** Remembers the last press, until another one is made. */
export function rememberPresses(document: Document): void {
  document.addEventListener(
    'click',
    ({ target }) => {
      // A button that sends a form does so by itself.
      const pressed = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null;
      early = pressed !== null && !works(pressed) ? pressed : null;
    },
    true,
  );
}

/** Makes the press that was too early, if its button works by now. */
export function replayPress(): void {
  const pressed = early;
  if (pressed === null || !works(pressed)) return;
  early = null;
  pressed.click();
}
