import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { replayPress } from '../site/early-press.ts';

/** On the server: the parts that are being loaded. */
const loading: Promise<unknown>[] = [];

/** Resolves when the server can draw every part that was named so far. */
export const allParts = async (): Promise<void> => void (await Promise.all(loading));

/** Drawn with a part, so that it comes with its script. */
function Arrived(): null {
  useEffect(replayPress);
  return null;
}

/**
 * A part of a page that the server draws with the page, and that the browser loads after it: what was drawn stays in its
 * place, and works once its script has come; a press on a button before that is made then. For what stands below the first look, or is used after a press.
 * @param load imports the file, whose default export is the part
 */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  if (typeof document !== 'undefined') {
    const Part = lazy(load);
    return (props) => (
      <Suspense fallback={null}>
        {/* React's own type of a lazy part does not know that its properties are these. */}
        <Part {...(props as Props & Parameters<typeof Part>[0])} />
        <Arrived />
      </Suspense>
    );
  }
  let Part: ComponentType<Props> | null = null;
  loading.push(
    load().then((file) => {
      Part = file.default;
    }),
  );
  return (props) => (
    <Suspense fallback={null}>
      {Part === null ? null : <Part {...props} />}
      <Arrived />
    </Suspense>
  );
}
