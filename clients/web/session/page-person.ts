import { kept } from '../site/keeper.ts';
import type { PagePerson } from '../site/site.ts';
import { forgetOthers } from './kept-of-person.ts';
import { markedPerson, markPerson } from './signed-in-mark.ts';

const CHANNEL = 'person';

interface PagePersonOptions {
  /** Of the person whom the server has drawn the page for; undefined when it was drawn for everyone. */
  readonly drawnFor: string | null | undefined;
  /** Called when another person, or no one, is signed in now. */
  readonly onChanged: () => void;
  /** Called when the page is shown again and the browser cannot tell by itself. */
  readonly ask: () => void;
}

export function createPagePerson({ drawnFor, onChanged, ask }: PagePersonOptions): PagePerson {
  let current: string | null | undefined;
  const channel = openChannel();
  const compare = (other: string | null): void => {
    if (current !== undefined && current !== other) onChanged();
  };
  const look = (): void => {
    const marked = markedPerson();
    if (marked === undefined) ask();
    else compare(marked);
  };
  const is = (person: string | null): void => {
    const isNew = current !== person;
    current = person;
    const isMarked = markedPerson() === person;
    if (!isMarked) {
      markPerson(person);
      forgetOthers(kept, person);
    }
    if (isNew || !isMarked) channel?.postMessage(person);
  };
  if (channel !== null) channel.onmessage = ({ data }: MessageEvent<string | null>) => compare(data);
  // A page that was frozen hears nothing.
  addEventListener('pageshow', ({ persisted }) => persisted && look());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
  if (drawnFor === undefined) current = markedPerson();
  else is(drawnFor);
  return {
    current: () => current,
    is,
    signedIn() {
      current = undefined;
    },
  };
}

/** Null in a browser that gives this site nothing that tabs share. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

/** Kept with the entry of the history, which no setting of the browser blocks. */
const CHANGED = 'personChanged';

/** Loads the page again, for the person who is signed in now. What was entered is not sent. */
export function reloadForOther(): void {
  history.replaceState({ ...history.state, [CHANGED]: true }, '');
  location.reload();
}

/** Whether the document was loaded by `reloadForOther`; true once. */
export function takeReload(): boolean {
  const { [CHANGED]: isReload = false, ...others } = history.state ?? {};
  if (isReload) history.replaceState(others, '');
  return isReload;
}
